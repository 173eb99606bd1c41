const textType =
  /^(text\/|application\/(json|xml|javascript|x-www-form-urlencoded|x-ndjson|graphql|yaml)\b|[^;]+\+(json|xml)\b)/i;

/** The bytes that the WHATWG's MIME Sniffing calls binary, and the character that replaces bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data
const binaryCharacter = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/;

/** Reads a body until it ends, or more than `maxBytes` have come, or `signal` is aborted. If it is binary, it has no text. */
export async function readText({ headers, body }: Request | Response, maxBytes: number, signal: AbortSignal) {
  const type = headers.get('content-type');
  const isBinary = headers.has('content-encoding') || (type !== null && !textType.test(type));
  const reader = (body as ReadableStream).getReader() as ReadableStreamDefaultReader;
  // Not awaited: it is only settled when the other reader of the body has ended, too.
  const stop = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', stop);
  const decoder = new TextDecoder();
  let text = '';
  let seenBytes = 0;
  let isWhole = false;
  try {
    while (!isBinary && !isWhole && seenBytes <= maxBytes) {
      const { value, done } = await reader.read();
      if (signal.aborted) break;
      const bytes = Buffer.from(value ?? ''); // Bun's streams also give strings and buffers.
      isWhole = done;
      // At the end, the last character may lack a part.
      text += decoder.decode(bytes.subarray(0, maxBytes - seenBytes), { stream: !done });
      seenBytes += bytes.length;
    }
  } catch {} // What came before an error is kept.
  stop();
  const stated = headers.get('content-length') ?? '';
  const size = isWhole ? seenBytes : /^\d+$/.test(stated) ? Number(stated) : undefined;
  // Bun gives a string its type only when it sends it.
  const isText = !isBinary && (type !== null || !binaryCharacter.test(text));
  return { text: isText ? text : undefined, isWhole, size };
}

/** Returns as many of the text's characters as fit into `limitBytes` of UTF-8. */
export function cut(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text);
  // `stream` leaves out a last character of which only a part is there.
  return bytes.length <= limitBytes ? text : new TextDecoder().decode(bytes.subarray(0, limitBytes), { stream: true });
}
