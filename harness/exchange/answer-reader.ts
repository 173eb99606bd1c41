/**
 * How the body of an answer ends (RFC 9112, 6.3): after so many bytes, a last chunk, or a close.
 */
type BodyEnd = { bytes: number } | 'last chunk' | 'close';

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';
/** A last chunk, and the end of the one before it. */
const TAIL_LENGTH = 2 + LAST_CHUNK.length;

/** Reads one answer as its bytes come, and keeps none of its body. */
export class AnswerReader {
  /** Whether the server said that it closes the connection after this answer. */
  announcesClose = false;
  private head = '';
  private bodyEnd: BodyEnd | undefined;
  private bodyBytes = 0;
  private tail = '';

  constructor(private readonly isOfHead: boolean) {}

  /** Whether any byte of it came. */
  get hasBegun(): boolean {
    return this.head !== '';
  }

  /** Whether it ends with the connection alone. */
  get endsWithConnection(): boolean {
    return this.bodyEnd === 'close';
  }

  get isComplete(): boolean {
    if (this.bodyEnd === undefined || this.bodyEnd === 'close') return false;
    if (this.bodyEnd !== 'last chunk') return this.bodyBytes >= this.bodyEnd.bytes;
    return this.tail === LAST_CHUNK || this.tail.endsWith(`\r\n${LAST_CHUNK}`);
  }

  push(bytes: Buffer): void {
    if (this.bodyEnd !== undefined) {
      this.pushBody(
        bytes.length,
        bytes.toString('latin1', Math.max(0, bytes.length - TAIL_LENGTH)),
      );
      return;
    }
    this.head += bytes.toString('latin1');
    for (;;) {
      const end = this.head.indexOf(HEAD_END);
      if (end < 0) return;
      const rest = this.head.slice(end + HEAD_END.length);
      if (!isInterim(this.head)) {
        this.readHead(this.head.slice(0, end));
        this.pushBody(rest.length, rest);
        return;
      }
      this.head = rest;
    }
  }

  private pushBody(length: number, end: string): void {
    this.bodyBytes += length;
    this.tail = (this.tail + end).slice(-TAIL_LENGTH);
  }

  private readHead(head: string): void {
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = lines.map((line) => line.toLowerCase());
    const has = (pattern: RegExp) => headers.some((line) => pattern.test(line));
    this.bodyEnd = this.isOfHead || / (204|304)\b/.test(statusLine) ? { bytes: 0 } : endOf(headers);
    const isKept = statusLine.startsWith('HTTP/1.0') ? has(/^connection:.*\bkeep-alive\b/) : true;
    this.announcesClose = !isKept || has(/^connection:.*\bclose\b/);
  }
}

function isInterim(head: string): boolean {
  return /^HTTP\/1\.\d 1(?!01)/.test(head);
}

function endOf(headers: readonly string[]): BodyEnd {
  if (headers.some((line) => /^transfer-encoding:.*\bchunked\b/.test(line))) return 'last chunk';
  const length = headers.flatMap((line) => /^content-length: *(\d+)/.exec(line)?.[1] ?? [])[0];
  return length === undefined ? 'close' : { bytes: Number(length) };
}
