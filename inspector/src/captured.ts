import { HeldText } from './held-text.ts';

/** What has been read of a body so far. */
export interface Captured {
  /** As much as was asked for. It keeps nothing else of the body in memory. */
  readonly text: HeldText;
  /** How many bytes were seen. */
  readonly size: number;
  /** True if `size` is that of the whole body. */
  readonly isEnded: boolean;
  /** If the reading goes on: resolves when it has ended. Never rejects. */
  readonly reading?: Promise<void>;
  /** Ends the reading. */
  stop?(): void;
}

const nothing = HeldText.of('');

/** Stands for a body that is not read. */
export const unread: Captured = { text: nothing, size: 0, isEnded: false };

/** Stands for a body of which only the size is recorded. */
export function captureSize(size: number): Captured {
  return { text: nothing, size, isEnded: true };
}

export function captureText(text: string, maxBytes: number): Captured {
  const size = Buffer.byteLength(text);
  return { text: HeldText.of(text, Math.min(size, maxBytes)), size, isEnded: true };
}

/** Copies the first `maxBytes` at once, because the reader of the bytes may change them. */
export function captureBytes(source: Uint8Array | ArrayBuffer, maxBytes: number): Captured {
  const bytes = bytesOf(source);
  return { text: HeldText.copyOf(bytes, maxBytes), size: bytes.byteLength, isEnded: true };
}

/** Reads a stream until it ends, or until more than `maxBytes` have come. Then it cancels its reader. */
export class StreamCapture implements Captured {
  size = 0;
  isEnded = false;
  /** False if the body was there at once. */
  isStreamed = false;
  readonly reading: Promise<void>;
  private isStopped = false;
  private readonly chunks: Uint8Array[] = [];
  private readonly reader: ReadableStreamDefaultReader<unknown>;

  constructor(
    stream: ReadableStream,
    private readonly maxBytes: number,
  ) {
    this.reader = stream.getReader() as ReadableStreamDefaultReader<unknown>;
    this.reading = this.read();
  }

  get text(): HeldText {
    return HeldText.copyOf(Buffer.concat(this.chunks), this.maxBytes);
  }

  stop(): void {
    this.isStopped = true;
    // Not awaited: it is only settled when the other reader of the stream has ended, too.
    this.reader.cancel().catch(() => {});
  }

  /** What was read before an error is kept. */
  private async read(): Promise<void> {
    try {
      let next = this.reader.readMany();
      this.isStreamed = next instanceof Promise;
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

  /** Resolves to true if the stream has ended. Waits for one turn of the event loop at most. */
  private async isDone(): Promise<boolean> {
    const turn = new Promise<undefined>((resolve) => setImmediate(resolve));
    const next = await Promise.race([this.reader.readMany(), turn]);
    return next?.done === true && (next.value ?? []).length === 0;
  }

  /** Takes one byte more than is wanted, which tells if a character ends there. Copies, as the other reader may write. */
  private add(bytes: Uint8Array): void {
    const room = this.maxBytes + 1 - this.size;
    if (room > 0) this.chunks.push(bytes.slice(0, room));
    this.size += bytes.byteLength;
  }
}

/** Bun's streams also give strings and buffers. */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === 'string') return Buffer.from(chunk);
  if (chunk instanceof ArrayBuffer) return new Uint8Array(chunk);
  const view = chunk as ArrayBufferView;
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}
