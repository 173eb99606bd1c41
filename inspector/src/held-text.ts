const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Memory of this size is used again. Shorter texts get their own, which takes less time. */
const slotBytes = 10_240;
const smallBytes = 512;
const maxFreeSlots = 256;

/** Slots whose texts were read. Nothing else refers to them. */
const freeSlots: Uint8Array[] = [];
const noBytes = new Uint8Array(0);

/**
 * A text that is kept as UTF-8 until it is read, because spans wait for their export. Strings that outlive a garbage collection
 * keep Bun from freeing the dead strings among which they lie: with them, a server of answers of 100 KiB took twice its memory.
 * Its memory is used again once it was read: 10 KiB of fresh memory take 3 µs more, with page faults and all.
 */
export class HeldText {
  private text: string | undefined = undefined;
  /** In bytes. */
  readonly size: number;

  private constructor(
    private bytes: Uint8Array,
    private slot?: Uint8Array,
  ) {
    this.size = bytes.length;
  }

  /** Holds as many whole characters of `text` as fit into `limitBytes`, which should not be more than it has. */
  static of(text: string, limitBytes = Buffer.byteLength(text)): HeldText {
    const hasSlot = limitBytes > smallBytes && limitBytes <= slotBytes;
    const slot = hasSlot ? (freeSlots.pop() ?? new Uint8Array(slotBytes)) : undefined;
    const room = slot?.subarray(0, limitBytes) ?? new Uint8Array(limitBytes);
    const { written } = encoder.encodeInto(text, room);
    return new HeldText(written < limitBytes ? room.subarray(0, written) : room, slot);
  }

  /** Holds a copy of as many bytes as are whole characters and fit into `limitBytes`. */
  static copyOf(bytes: Uint8Array, limitBytes: number): HeldText {
    let end = Math.min(limitBytes, bytes.length);
    const isWithinCharacter = () => ((bytes[end] as number) & 0xc0) === 0x80;
    while (end > 0 && end < bytes.length && limitBytes - end < 3 && isWithinCharacter()) end--;
    return new HeldText(bytes.slice(0, end));
  }

  read(): string {
    if (this.text !== undefined) return this.text;
    this.text = decoder.decode(this.bytes);
    this.bytes = noBytes;
    if (this.slot !== undefined && freeSlots.length < maxFreeSlots) freeSlots.push(this.slot);
    this.slot = undefined;
    return this.text;
  }
}
