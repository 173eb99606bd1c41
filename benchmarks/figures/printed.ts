/** Prints the figures of a document again, and says which are not what their results give. */
import { orUndefined, Problem, problemLine } from '../../harness/words/errors.ts';
import { figureOf } from './figure-text.ts';
import { marksOf, type PlacedMark, type QuoteMark, replaceFigures } from './marks.ts';
import type { Results } from './results.ts';

/**
 * Returns the document with each figure as its result gives it. What has a fault stays as it is.
 */
export function printFigures(document: string, results: Results): string {
  const now = (mark: PlacedMark) => orUndefined(() => textOf(mark, document, results)) ?? null;
  return orUndefined(() => replaceFigures(document, now)) ?? document;
}

/**
 * Returns a line for each figure that its result does not give: where it stands, what is wrong, and
 * what to do.
 */
export function figureFaults(document: string, results: Results): string[] {
  try {
    return marksOf(document).flatMap((mark) => faultOf(mark, document, results) ?? []);
  } catch (error) {
    return [lineOf(error)];
  }
}

function faultOf(mark: PlacedMark, document: string, results: Results): string | null {
  const { line, name, text } = mark;
  try {
    const now = textOf(mark, document, results);
    if (now === text) return null;
    return `line ${line}: ${name} is ${now}, not "${text}". Run bun run tables.`;
  } catch (error) {
    return `line ${line}: ${name}: ${lineOf(error)}`;
  }
}

/** @throws unknown what is no problem of the document: a bug */
function lineOf(error: unknown): string {
  const line = problemLine(error);
  if (line === undefined) throw error;
  return line;
}

/** @throws Problem if the result is not there, or does not have it */
function textOf({ mark, text }: PlacedMark, document: string, results: Results): string {
  if (mark.kind === 'setting') return text;
  const file = results.named(mark.result, document);
  if (mark.kind === 'quote') return quoteOf(file, mark, text, results);
  const run = results.run(file);
  if (run) return figureOf(run, mark);
  throw new Problem(`results/${file} is not of a run`, 'Quote it');
}

/** @throws Problem if the file does not say so */
function quoteOf(file: string, { line }: QuoteMark, text: string, results: Results): string {
  // Not a part of a longer number.
  const whole = new RegExp(`(?<![\\d.,+-])${RegExp.escape(text)}(?![.,]?\\d)`);
  const lines = results.text(file).split('\n');
  // Tables fill their cells with blanks.
  const named = lines.filter((each) => each.replace(/ +/g, ' ').includes(line));
  if (text !== '' && named.some((each) => whole.test(each))) return text;
  const where = line === '' ? '' : ` where it says "${line}"`;
  throw new Problem(`results/${file} does not say "${text}"${where}`, 'Write it as it is there');
}
