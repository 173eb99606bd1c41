const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A text that is kept as UTF-8 until it is read, because spans wait for their export. Strings that outlive a garbage collection
 * keep Bun from freeing the dead strings among which they lie: with them, a server of answers of 100 KiB took twice its memory.
 */
export class HeldText {
  private constructor(private readonly bytes: Uint8Array) {}

  /** Holds as many whole characters of `text` as fit into `limitBytes`, which should not be more than it has. */
  static of(text: string, limitBytes = Buffer.byteLength(text)): HeldText {
    const room = new Uint8Array(limitBytes);
    const { written } = encoder.encodeInto(text, room);
    return new HeldText(written < limitBytes ? room.subarray(0, written) : room);
  }

  /** Holds a copy of as many bytes as are whole characters and fit into `limitBytes`. */
  static copyOf(bytes: Uint8Array, limitBytes: number): HeldText {
    let end = Math.min(limitBytes, bytes.length);
    const isWithinCharacter = () => ((bytes[end] as number) & 0xc0) === 0x80;
    while (end > 0 && end < bytes.length && limitBytes - end < 3 && isWithinCharacter()) end--;
    return new HeldText(bytes.slice(0, end));
  }

  /** In bytes. */
  get size(): number {
    return this.bytes.length;
  }

  read(): string {
    return decoder.decode(this.bytes);
  }
}
