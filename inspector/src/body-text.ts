/** The bytes that the WHATWG's MIME Sniffing calls binary, and the character that replaces bytes that are not UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they tell binary data
const binaryCharacter = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\ufffd]/;

/** Reads a body until it ends, or more than `maxBytes` have come, or `signal` is aborted. If it is binary, it has no text. */
export async function readText(body: ReadableStream | undefined, maxBytes: number, signal: AbortSignal) {
  const reader = body?.getReader() as ReadableStreamDefaultReader | undefined;
  // Not awaited: it is only settled when the other reader of the body has ended, too.
  const stop = () => void reader?.cancel().catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  let isWhole = false;
  try {
    while (reader && !isWhole && size <= maxBytes) {
      const { value, done } = await reader.read();
      if (signal.aborted) break;
      isWhole = done;
      const bytes = Buffer.from(value ?? ''); // Bun's streams also give strings and buffers.
      // A last character may lack a part: at the limit it is left out, and at the end it shows that this is no text.
      text += decoder.decode(bytes.subarray(0, maxBytes - size), { stream: !done });
      size += bytes.length;
    }
  } catch {} // What came before an error is kept.
  stop();
  return { text: binaryCharacter.test(text) ? undefined : text, isWhole, size };
}

/** Returns as many of the text's characters as fit into `limitBytes` of UTF-8. */
export function cut(text: string, limitBytes: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limitBytes ? text : new TextDecoder().decode(bytes.subarray(0, limitBytes), { stream: true });
}
