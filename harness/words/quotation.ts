/** What is quoted of the output of a program, for a message. */
export interface Quotation {
  /** The line that names the error, if one does, and the last ones. */
  lines: string[];
  /** Whether nothing of substance was left out. */
  isWhole: boolean;
}

const MOST_LINES = 8;
const MOST_CHARACTERS_OF_LINE = 300;
/** Further up, an error is another one, of which the program has recovered. */
const SEARCHED_LINES = 60;

/** What draws frames, bars and spinners: blocks, box drawing and braille. */
const DRAWING = /[\u2500-\u259f\u2800-\u28ff]/g;
/** The place where an error was thrown helps nobody; what the error says stands elsewhere. */
const PLACES = /^at .*(?:[:(]|native)/;
const WORDS = /[\p{L}\p{N}]/u;

/**
 * How lines begin that say what went wrong, the surest first. Programs have no other way to tell.
 */
const ERROR_LINES = [
  /^(?:uncaught |unhandled )?(?:\w*error|\w*exception|fatal|panic)\b.*:/i,
  /\b(?:error|fatal|panic|exception)\b/i,
  /\b(?:failed|cannot|can't|not found|denied|refused|no such)\b/i,
];

/**
 * Returns what a program said, for a message of a line: without colours, frames and the places
 * where errors were thrown, and its own error first.
 * @param output the end of what it wrote
 */
export function quotationOf(output: string): Quotation {
  const said = output.split('\n').map(plainLine);
  const all = said.filter((line) => WORDS.test(line) && !PLACES.test(line));
  const error = errorLineIn(all.slice(-SEARCHED_LINES));
  const others = error === undefined ? all : withoutFirst(all, error);
  const room = error === undefined ? MOST_LINES : MOST_LINES - 1;
  const lines = [...(error === undefined ? [] : [error]), ...others.slice(-room)];
  const isCut = lines.some((line) => line.length > MOST_CHARACTERS_OF_LINE);
  return {
    lines: lines.map(shortened),
    isWhole: !isCut && others.length <= room,
  };
}

function plainLine(line: string): string {
  // A bar that is drawn again and again stands in one line.
  const shown = Bun.stripANSI(line).replace(/\r+$/, '').split('\r').at(-1) ?? '';
  return shown.replace(DRAWING, ' ').replace(/\s+/g, ' ').trim();
}

function errorLineIn(lines: readonly string[]): string | undefined {
  for (const form of ERROR_LINES) {
    const found = lines.find((line) => form.test(line));
    if (found !== undefined) return found;
  }
  return undefined;
}

function withoutFirst(lines: readonly string[], wanted: string): string[] {
  return lines.toSpliced(lines.indexOf(wanted), 1);
}

function shortened(line: string): string {
  return line.length > MOST_CHARACTERS_OF_LINE
    ? `${line.slice(0, MOST_CHARACTERS_OF_LINE)}…`
    : line;
}
