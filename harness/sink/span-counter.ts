import { gunzipSync } from 'node:zlib';
import { datadog } from './datadog-spans.ts';
import { otlp } from './otlp-spans.ts';
import type { Protocol } from './protocol.ts';
import { sentry } from './sentry-spans.ts';

/** A protocol is a file and an entry here. */
const PROTOCOLS: Protocol[] = [otlp, sentry, datadog];

/** Of one payload, packed or not: four times what a batch of 64 spans with recorded bodies has. */
const MOST_BYTES = 16 * 1024 ** 2;
/** Of all payloads that are under way. */
const MOST_BYTES_AT_ONCE = 8 * MOST_BYTES;

/** All that a sink keeps of what it receives. */
export interface SinkCounts {
  spans: number;
  /** Of all payloads, as they came. */
  bytes: number;
  /** Payloads that could not be read, and why the first could not. */
  malformed: number;
  reason: string | null;
}

/** Counts the spans in requests of any protocol, and keeps nothing else. */
export class SpanCounter {
  readonly counts: SinkCounts = { spans: 0, bytes: 0, malformed: 0, reason: null };
  private bytesUnderWay = 0;

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const protocol = PROTOCOLS.find(({ requests }) => requests.test(`${request.method} ${path}`));
    if (!protocol) return new Response('unknown', { status: 404 });
    try {
      const mediaType = request.headers.get('content-type')?.split(';')[0] ?? '';
      const payload = { path, mediaType, body: unpacked(request, await this.bodyOf(request)) };
      this.counts.spans += protocol.count(payload);
      return protocol.answer(payload);
    } catch (error) {
      this.counts.malformed++;
      this.counts.reason ??= `${path}: ${(error as Error).message.slice(0, 200)}`;
      return new Response('malformed', { status: 400 });
    }
  }

  /** @throws Error if it is larger than it may be, by itself or together with others. */
  private async bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of request.body ?? []) {
        size += chunk.length;
        this.bytesUnderWay += chunk.length;
        if (size > MOST_BYTES) throw new Error(`a payload of more than ${MOST_BYTES} bytes`);
        if (this.bytesUnderWay > MOST_BYTES_AT_ONCE) throw new Error(`more than ${MOST_BYTES_AT_ONCE} bytes at once`);
        chunks.push(chunk);
      }
      this.counts.bytes += size;
      return Buffer.concat(chunks);
    } finally {
      this.bytesUnderWay -= size;
    }
  }
}

/** @throws Error if it is packed in another way than by gzip, or larger than it may be. */
function unpacked({ headers }: Request, body: Uint8Array<ArrayBuffer>): Uint8Array {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw new Error(`the content-encoding ${encoding} is unknown`);
  return gunzipSync(body, { maxOutputLength: MOST_BYTES });
}
