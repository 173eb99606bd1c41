/** What a terminal obeys in place of showing it, turns the direction of text, or is not known to XML. */
const UNFIT = /(?!\r\n|[\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029\uFFFE\uFFFF]/gu;

/** The text with a `\ufffd` for each character that is not fit to be shown; line ends and tabs stay. */
export function printable(text: string): string {
  return text.toWellFormed().replace(UNFIT, '\ufffd');
}

/** The same JSON text with escapes for the few such characters that JSON lets stand in strings. */
export function printableJson(json: string): string {
  return json.replace(UNFIT, escaped);
}

/** The same command of shellWords() on one line, with escapes that bash and zsh read. */
export function printableCommand(command: string): string {
  return command
    .replace(/[\r\n]/g, (end) => `'$'${JSON.stringify(end).slice(1, -1)}''`)
    .replace(UNFIT, (each) => `'$'${escaped(each)}''`);
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text so that Markdown (CommonMark with tables) shows it as it is, on one line. */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .replace(/[\\`*[\]|]|(?<!\w)_|_(?!\w)|~(?=\S)|(?<=\S)~/g, '\\$&')
      // As entities, for those who put Markdown through something else than a Markdown parser.
      .replaceAll(/&(?=#?\w+;)/g, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

/** As a POSIX shell reads it back, quoted only if needed. Bun's `$.escape` leaves `*` and `~` to the shell. */
export function shellWords(argv: string[]): string {
  const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
  return argv.map(quoted).join(' ');
}

/** `1 pair`, `10 pairs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
