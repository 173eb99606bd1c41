const textType =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|graphql|yaml)\b|[^;]+\+(json|xml)\b)/i;

/** The bytes that the WHATWG's MIME Sniffing calls binary, and the character that replaces bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data
const binaryCharacter = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/;

/** The start of a body, as text. Of a binary one it is undefined. The size is that of the whole body, if it is known. */
export type BodyText = { text: string | undefined; isWhole: boolean; size: number | undefined };

/** Reads a body until it ends, or more than `maxBytes` have come, or `signal` is aborted. Never rejects. */
export async function readText(body: ReadableStream, headers: Headers, maxBytes: number, signal: AbortSignal) {
  const stated = headers.get('content-length') ?? '';
  const result: BodyText = { text: '', isWhole: false, size: /^\d+$/.test(stated) ? Number(stated) : undefined };
  const type = headers.get('content-type');
  const reader = body.getReader() as ReadableStreamDefaultReader;
  // Not awaited: it is only settled when the other reader of the body has ended, too.
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  const isBinary = headers.has('content-encoding') || (type !== null && !textType.test(type));
  if (!isBinary) await readInto(result, reader, maxBytes, signal).catch(() => {}); // What came before is kept.
  stop();
  // Bun gives a string its type only when it sends it.
  if (isBinary || (type === null && binaryCharacter.test(result.text ?? ''))) result.text = undefined;
  return result;
}

async function readInto(
  result: BodyText,
  reader: ReadableStreamDefaultReader,
  maxBytes: number,
  signal: AbortSignal,
): Promise<void> {
  const decoder = new TextDecoder();
  for (let seenBytes = 0; seenBytes <= maxBytes; ) {
    const { value, done } = await reader.read();
    if (signal.aborted) return;
    // The last character may lack a part.
    if (done) Object.assign(result, { text: result.text + decoder.decode(), isWhole: true, size: seenBytes });
    if (done) return;
    const bytes = Buffer.from(value); // Bun's streams also give strings and buffers.
    result.text += decoder.decode(bytes.subarray(0, maxBytes - seenBytes), { stream: true });
    seenBytes += bytes.length;
  }
}

/** Returns as many of the text's characters as fit into `limitBytes` of UTF-8. */
export function cut(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text);
  // `stream` leaves out a last character of which only a part is there.
  return bytes.length <= limitBytes ? text : new TextDecoder().decode(bytes.subarray(0, limitBytes), { stream: true });
}
