// Reading no more of a body than is recorded.

/** What has been read of a body so far. */
export interface Captured {
  readonly text: string;
  /** Bytes seen. */
  readonly size: number;
  /** True where `size` is that of the whole body. */
  readonly isEnded: boolean;
}

export function captureText(text: string): Captured {
  return { text, size: Buffer.byteLength(text), isEnded: true };
}

/** Decodes the first `maxBytes` alone, and at once: whoever has read the bytes may change them. */
export function captureBytes(bytes: Uint8Array, maxBytes: number): Captured {
  return { text: decodeBeginning(bytes, maxBytes), size: bytes.byteLength, isEnded: true };
}

/** From so many times the limit on, the beginning is copied. */
const SLICED = 16;

/** `text`, or as many of its characters as fit into `limitBytes` of UTF-8. */
export function cut(text: string, limitBytes: number): string {
  if (text.length * 3 <= limitBytes) return text;
  const head = text.slice(0, limitBytes);
  // ASCII, as nearly all text is. A slice keeps the whole text in memory until it is exported, but is made at once, where
  // to copy 10 KiB takes 20 µs: a third of what a server needs for a body of 100 KiB.
  if (text.length <= SLICED * limitBytes && Buffer.byteLength(head) === head.length) return head;
  const bytes = new Uint8Array(limitBytes);
  const { read, written } = new TextEncoder().encodeInto(text, bytes);
  // Not a slice of the text, which would keep all of it in memory.
  return read === text.length
    ? text
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, written));
}

/** Reads a stream until it ends or has given more than `maxBytes`, and then lets go of it. */
export class StreamCapture implements Captured {
  text = '';
  size = 0;
  isEnded = false;
  private isStopped = false;
  private readonly decoder = new TextDecoder();
  private readonly reader: ReadableStreamDefaultReader<unknown>;

  constructor(
    stream: ReadableStream,
    private readonly maxBytes: number,
  ) {
    this.reader = stream.getReader() as ReadableStreamDefaultReader<unknown>;
  }

  /**
   * Calls `onWaiting` where the body isn't there yet: it is a stream, not a string or bytes. Never rejects; what was read
   * before an error stays.
   */
  async read(onWaiting: () => void): Promise<void> {
    try {
      let next = this.reader.readMany();
      if (next instanceof Promise) onWaiting();
      while (!this.isStopped) {
        const { value, done } = next instanceof Promise ? await next : next;
        for (const chunk of value ?? []) this.add(bytesOf(chunk));
        if (done) this.isEnded = !this.isStopped;
        if (done) break;
        if (this.size > this.maxBytes) {
          this.isEnded = await this.isDone();
          break;
        }
        next = this.reader.readMany();
      }
    } catch {}
    if (!this.isEnded) this.stop();
  }

  /** Whether no more comes, as far as that is known within this turn of the event loop. */
  private async isDone(): Promise<boolean> {
    const turn = new Promise<undefined>((resolve) => setImmediate(resolve));
    const next = await Promise.race([this.reader.readMany(), turn]);
    return next?.done === true && (next.value ?? []).length === 0;
  }

  /** Gives the stream up. Not awaited: that would last until its other reader is through as well. */
  stop(): void {
    this.isStopped = true;
    this.reader.cancel().catch(() => {});
  }

  private add(bytes: Uint8Array): void {
    const room = Math.max(0, this.maxBytes - this.size);
    if (room > 0) this.text += this.decoder.decode(bytes.subarray(0, room), { stream: true });
    this.size += bytes.byteLength;
  }
}

/** Without a last character that `maxBytes` cuts apart. */
function decodeBeginning(bytes: Uint8Array, maxBytes: number): string {
  const isCut = bytes.byteLength > maxBytes;
  return new TextDecoder().decode(isCut ? bytes.subarray(0, maxBytes) : bytes, { stream: isCut });
}

/** Bun streams strings and buffers as well. */
function bytesOf(chunk: unknown): Uint8Array {
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  const view = chunk as ArrayBufferView;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
