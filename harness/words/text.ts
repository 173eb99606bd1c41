/** Characters that a terminal obeys, that turn the direction of text, or that XML does not know. */
const UNFIT = /(?!\r\n|[\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFFFE\uFFFF]/gu;

/**
 * Returns the text with a `\ufffd` for each character that is not fit to be shown; line ends and
 * tabs stay.
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNFIT, '\ufffd');
}

/**
 * Returns the text so that Markdown (CommonMark with tables) shows it as it is, on one line: not as
 * a list or a heading either, where a line begins with it.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .replace(/[\\`*[\]|]|(?<![^\W_])_|_(?![^\W_])|~(?=\S)|(?<=\S)~/g, '\\$&')
      .replace(/^[#+-]+(?= )/, '\\$&')
      .replace(/^(\d+)([.)])(?= )/, '$1\\$2')
      // As entities, for those who put Markdown through something else than a Markdown parser.
      .replaceAll(/&(?=#?\w+;)/g, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

/** Characters of which no POSIX shell makes anything else. */
const UNQUOTED = /^[\w@%+=:,./-]+$/;

/**
 * Returns the command as a line that a POSIX shell reads back. A word is quoted only if it needs to
 * be: people read these lines. `quote` of shell-quote would be as right, but writes `NAME\=value`
 * and `/\?a\=b`; Bun's `$.escape` leaves `*` and `~` bare.
 */
export function quoteCommand(argv: string[]): string {
  return argv.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  return UNQUOTED.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns `1 pair`, or `10 pairs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns texts as a list for a sentence, each once: `A`, `A and B`, `A, B and C`. */
export function listed(texts: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(new Set(texts));
}

/** Returns the text as it begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the text as it stands within a sentence. */
export function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
