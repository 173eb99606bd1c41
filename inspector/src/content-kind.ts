/** What a body holds, as far as its headers tell. */
export type Kind = 'text' | 'binary' | 'unknown';

const textType =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|graphql|yaml)\b|[^;]+\+(json|xml)\b)/i;

/** The bytes that the WHATWG's MIME Sniffing calls binary, and the character that replaces bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data
export const binaryCharacter = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/;

/** Unknown if there is no content type: Bun gives a string its type only when it sends it. */
export function kindOf(headers: Headers): Kind {
  if (headers.has('content-encoding')) return 'binary';
  const type = headers.get('content-type');
  if (type === null) return 'unknown';
  return textType.test(type) ? 'text' : 'binary';
}
