/** All that a terminal obeys in place of showing it, and what turns the direction of text; line ends and tabs stay. */
const OBEYED = /(?!\r\n|[\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** The text with a `\ufffd` for each character that would act on a terminal. */
export function printable(text: string): string {
  return text.replace(OBEYED, '\ufffd');
}

/** The same JSON text with escapes for the few such characters that JSON lets stand in strings. */
export function printableJson(json: string): string {
  return json.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One line of so many characters at most, all of them fit for HTML, SVG and a terminal. */
export function shortened(text: string, most = 2_000): string {
  const characters = [...printable(text.toWellFormed()).replace(/[\s\uFFFE\uFFFF]+/gu, ' ')];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

/** The text so that Markdown (CommonMark with tables) shows it as it is, on one line. */
export function escapeMarkdown(text: string): string {
  return (
    shortened(text)
      .replace(/[\\`*[\]|]|(?<!\w)_|_(?!\w)|~(?=\S)|(?<=\S)~/g, '\\$&')
      // As entities, for those who put Markdown through something else than a Markdown parser.
      .replaceAll(/&(?=#?\w+;)/g, '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

/** `1 pair`, `10 pairs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
