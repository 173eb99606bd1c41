import { brotliDecompressSync, unzipSync } from 'node:zlib';
import { startOf } from '../machine/read.ts';
import type { Exported } from '../result/schema.ts';
import { datadog } from './datadog.ts';
import { elastic } from './elastic.ts';
import { otlp } from './otlp.ts';
import type { Payload, Protocol } from './protocol.ts';
import { sentry } from './sentry.ts';

/** A protocol is a file and an entry here. */
const PROTOCOLS = [otlp, sentry, datadog, elastic];

/** Of one payload, packed or not: four times what a batch of 64 spans with recorded bodies has. */
export const MAX_BYTES = 16 * 1024 ** 2;

/** So many kinds of refused requests are told apart. */
const MAX_REFUSED = 10;

/** Takes requests of all protocols, compressed or not. */
export class Intake {
  /** Why the first payload that could not be read could not; null if all could. */
  fault: string | null = null;
  /** What was taken: payloads, their bytes as they were sent, and where to. */
  payloads = 0;
  bytes = 0;
  readonly paths = new Set<string>();
  /** How often each request came that was not taken, by method and path: `POST /v1/other`; or what is no request. */
  private readonly counts = new Map<string, number>();

  get refused(): Exported['refused'] {
    return Array.from(this.counts, ([request, count]) => ({ request, count }));
  }

  /** `take` keeps what it needs of a payload, and throws if that can't be read. */
  constructor(private readonly take: (protocol: Protocol, payload: Payload) => void) {}

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const protocol = PROTOCOLS.find(({ requests }) => requests.test(`${request.method} ${path}`));
    if (!protocol) return this.refuse(`${request.method} ${path}`);
    const mediaType = request.headers.get('content-type')?.split(';')[0] ?? '';
    const sent = await startOf(request.body ?? [], MAX_BYTES).catch(() => undefined);
    // As by a tracer that ends while it still sends: its spans are missing then, and no more is wrong.
    if (!sent) return this.refuse(`${request.method} ${path}, broken off,`);
    try {
      this.take(protocol, { path, mediaType, body: unpacked(request, sent) });
      // Some tracers ask first what is taken.
      if (request.method !== 'GET') this.payloads++;
      this.bytes += sent.length;
      this.paths.add(path);
    } catch (error) {
      this.fault ??= `${path}: ${(error as Error).message.slice(0, 200)}`;
      return new Response('malformed', { status: 400 });
    }
    // An empty message of either encoding of OTLP says that all was taken; the other protocols expect JSON.
    if (mediaType === 'application/x-protobuf') return new Response('', { headers: { 'content-type': mediaType } });
    return Response.json(protocol.answer ?? {});
  }

  refuse(request: string): Response {
    const kept = this.counts.size < MAX_REFUSED || this.counts.has(request) ? request : 'other requests';
    this.counts.set(kept, (this.counts.get(kept) ?? 0) + 1);
    return new Response('unknown', { status: 404 });
  }
}

/** In words: `17 x POST /v1/other were refused`. */
export function refusals(refused: Exported['refused']): string[] {
  return refused.map(({ request, count }) => `${count} x ${request} ${count === 1 ? 'was' : 'were'} refused`);
}

/** @throws Error if it is packed in another way than by gzip, deflate or brotli, or larger than it may be. */
function unpacked({ headers }: Request, body: Uint8Array): Uint8Array {
  if (body.length > MAX_BYTES) throw new Error(`a payload of more than ${MAX_BYTES} bytes`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding === 'br') return brotliDecompressSync(body, { maxOutputLength: MAX_BYTES });
  if (encoding !== 'gzip' && encoding !== 'deflate') throw new Error(`the content-encoding ${encoding} is unknown`);
  return unzipSync(body, { maxOutputLength: MAX_BYTES });
}
