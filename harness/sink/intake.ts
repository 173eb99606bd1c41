import { gunzipSync } from 'node:zlib';

/** What one request brought, unpacked. */
export interface Payload {
  path: string;
  /** Without parameters: `application/json`. */
  mediaType: string;
  body: Uint8Array;
}

// biome-ignore lint/suspicious/noExplicitAny: what a stranger sends has any shape; what is read of it is checked by use.
export type Json = any;

/** One way in which tracers send their spans, and what is wanted of them. */
export interface Protocol<Wanted> {
  /** Matches method and path of its requests: `POST /v1/traces`. */
  requests: RegExp;
  /** @throws Error if the payload can't be read. */
  read(payload: Payload): Wanted;
}

/** Of one payload, packed or not: four times what a batch of 64 spans with recorded bodies has. */
const MOST_BYTES = 16 * 1024 ** 2;

/** Takes requests of these protocols, compressed or not. */
export abstract class Intake<Wanted> {
  /** Of all payloads, as they came. */
  bytes = 0;
  /** Payloads that could not be read, and why the first could not. */
  malformed = 0;
  reason: string | null = null;

  constructor(private readonly protocols: Protocol<Wanted>[]) {}

  /** Keeps what was read. */
  protected abstract take(read: Wanted): void;

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const protocol = this.protocols.find(({ requests }) => requests.test(`${request.method} ${path}`));
    if (!protocol) return new Response('unknown', { status: 404 });
    const mediaType = request.headers.get('content-type')?.split(';')[0] ?? '';
    try {
      const packed = await request.bytes();
      this.bytes += packed.length;
      this.take(protocol.read({ path, mediaType, body: unpacked(request, packed) }));
    } catch (error) {
      this.malformed++;
      this.reason ??= `${path}: ${(error as Error).message.slice(0, 200)}`;
      return new Response('malformed', { status: 400 });
    }
    // An empty message of either encoding of OTLP says that all was taken; the other protocols expect JSON.
    const isProtobuf = mediaType === 'application/x-protobuf';
    return isProtobuf ? new Response('', { headers: { 'content-type': mediaType } }) : Response.json({});
  }
}

/** @throws Error if it is packed in another way than by gzip, or larger than it may be. */
function unpacked({ headers }: Request, body: Uint8Array): Uint8Array {
  if (body.length > MOST_BYTES) throw new Error(`a payload of more than ${MOST_BYTES} bytes`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip') throw new Error(`the content-encoding ${encoding} is unknown`);
  return gunzipSync(body, { maxOutputLength: MOST_BYTES });
}
