/**
 * Figures in a document's prose, each between `<!--= RESULT ROWS WHAT -->` and `<!--/-->`, which no
 * reader sees:
 *
 *     With Express it takes <!--= tracers-express auto-3 cpu -->132 ±42 µs<!--/--> of CPU.
 */
import { Problem } from '../../harness/words/errors.ts';

/** What stands between the two comments is this. */
export type Mark = FigureMark | QuoteMark | SettingMark;

/** A figure of a result. */
export interface FigureMark {
  kind: 'figure';
  /** The name of its file in `results/`, with or without the machine: `tracers-express`. */
  result: string;
  /** Which rows: `figureOf()` says how they are named. */
  rows: string;
  /** The column of the tables that has it, or another word that `figureOf()` knows. */
  what: string;
  /** The figure is divided by it: by the spans of a request, for what one of them costs. */
  per: number;
  form: Form | null;
}

/**
 * How a figure is told, if not as it comes: `most` and `least` are the ends of its interval.
 */
export const FORMS = ['most', 'least'] as const;
export type Form = (typeof FORMS)[number];

/** A text that a file in `results/` has literally, for those that are no results of a run. */
export interface QuoteMark {
  kind: 'quote';
  result: string;
  /** What the line of the file has, too, from which it is; empty for any line. */
  line: string;
}

/** A number that was chosen, not measured. */
export interface SettingMark {
  kind: 'setting';
}

/** A mark where it stands. */
export interface PlacedMark {
  mark: Mark;
  /** As it is written: `tracers-express auto-3 cpu`. */
  name: string;
  /** What stands between the comments. */
  text: string;
  /** Counted from 1. */
  line: number;
}

const BEGIN = '<!--=';
const END = '<!--/-->';
const REMEDY = `Write ${BEGIN} RESULT ROWS WHAT -->${END}: CONTRIBUTING.md says more`;

/** In one line, and without another mark inside. */
const PLACE = /<!--= *(?<name>[^\n]*?) *-->(?<text>(?:(?!<!--)[^\n])*)<!--\/-->/g;

/** A line that begins with a comment is HTML for Markdown, whatever follows. */
const AT_START = /^[ \t]*(?:[-*>]|\d+\.)?[ \t]*<!--=.*$/m;

/** Code shows marks, and has none. */
const CODE = /```.*?```|`[^`\n]*`/gs;

/**
 * Returns the marks of a document, from its start to its end.
 * @throws Problem for one that does not end, or can't be read
 */
export function marksOf(document: string): PlacedMark[] {
  const prose = withoutCode(document);
  const marks = [...prose.matchAll(PLACE)].map((match) => {
    const { name = '', text = '' } = match.groups ?? {};
    const line = document.slice(0, match.index).split('\n').length;
    return { mark: parsed(name), name, text, line };
  });
  const [first] = AT_START.exec(prose) ?? [];
  if (first !== undefined)
    throw new Problem(`A line begins with a figure: ${first}`, 'Begin it with a word');
  const begun = prose.split(BEGIN).length - 1;
  const ended = prose.split(END).length - 1;
  if (begun !== marks.length || ended !== marks.length)
    throw new Problem(`${begun} figures begin with ${BEGIN}, ${ended} end with ${END}`, REMEDY);
  return marks;
}

/**
 * Returns the document with each figure printed again, the rest byte for byte as it was.
 * @param textOf null for one that stays as it is
 * @throws Problem as marksOf() does
 */
export function replaceFigures(
  document: string,
  textOf: (mark: PlacedMark) => string | null,
): string {
  const texts = marksOf(document).map(textOf).values();
  return replacePlaces(document, (place, text) => {
    const now = texts.next().value ?? text;
    return `${place.slice(0, place.length - text.length - END.length)}${now}${END}`;
  });
}

/** Returns the document as a reader sees it, without the figures that are marked. */
export function withoutFigures(document: string): string {
  return replacePlaces(document, () => '');
}

function replacePlaces(document: string, now: (place: string, text: string) => string): string {
  let end = 0;
  const parts = [...withoutCode(document).matchAll(PLACE)].map((match) => {
    const before = document.slice(end, match.index);
    end = match.index + match[0].length;
    return before + now(match[0], match.groups?.text ?? '');
  });
  return parts.join('') + document.slice(end);
}

/** Returns the document with blanks in the place of code, so that all else stays in its place. */
function withoutCode(document: string): string {
  return document.replace(CODE, (code) => code.replace(/[^\n]/g, ' '));
}

function parsed(name: string): Mark {
  const words = name.split(/ +/);
  if (name === 'setting') return { kind: 'setting' };
  const [result = '', ...rest] = words;
  if (rest[0] === 'quote') return { kind: 'quote', result, line: rest.slice(1).join(' ') };
  const form = FORMS.find((each) => each === rest.at(-1)) ?? null;
  const { figure, per } = undivided(form === null ? rest : rest.slice(0, -1));
  const [what, ...rows] = figure.toReversed();
  if (what === undefined || rows.length === 0 || !(per > 0))
    throw new Problem(`"${name}" names no figure`, REMEDY);
  return { kind: 'figure', result, rows: rows.toReversed().join(' '), what, per, form };
}

/** Splits off `per NUMBER` from the end of the words that name a figure. */
function undivided(words: string[]): { figure: string[]; per: number } {
  if (words.at(-2) !== 'per') return { figure: words, per: 1 };
  return { figure: words.slice(0, -2), per: Number(words.at(-1)) };
}
