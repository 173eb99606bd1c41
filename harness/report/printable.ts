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

/** Printable, and on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
