import { decompress } from '../exchange/decompress.ts';
import { readUpTo } from '../words/read-up-to.ts';
import { PROTOCOLS } from './protocols/list.ts';
import type { Payload, Protocol } from './protocols/protocol.ts';
import { countRefusal, type RefusalKind, type RefusedRequests } from './refusals.ts';

/** Datadog's and Elastic's tracers ask this before they send. */
const QUESTION = /^GET \/(info)?$/;
/**
 * A tracer of Elastic's sends all spans to a server of a version from 8.0 on; else it sends those
 * that are sampled.
 */
const ABOUT = { version: '8.19.0' };

/**
 * A payload may have this size, compressed or not: four times what a batch of 64 spans with
 * recorded bodies has.
 */
export const MAX_PAYLOAD_BYTES = 16 * 1024 ** 2;
const MAX_FAULT_LENGTH = 200;

/** Takes requests of all protocols, compressed or not, and hands on what they brought. */
export class Intake {
  /** Why the first payload that could not be read could not be; null if all could. */
  fault: string | null = null;
  /** The number of payloads that were taken. */
  payloads = 0;
  /** The sum of their sizes as they were sent. */
  bytes = 0;
  readonly refused: RefusedRequests[] = [];

  /** `take` keeps what it needs of a payload. It throws if the payload can't be read. */
  constructor(private readonly take: (protocol: Protocol, payload: Payload) => void) {}

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const name = `${request.method} ${path}`;
    if (QUESTION.test(name)) return Response.json(ABOUT);
    const protocol = PROTOCOLS.find(({ requests }) => requests.test(name));
    if (!protocol) return this.refuse('unknown-path', name);
    const sent = await readUpTo(request.body ?? [], MAX_PAYLOAD_BYTES).catch(() => undefined);
    // A tracer that ends while it still sends does nothing wrong: its spans are missing, and that
    // is seen.
    if (!sent) return this.refuse('broken-off', name);
    try {
      const payload = payloadOf(request, path, sent);
      this.take(protocol, payload);
      this.payloads++;
      this.bytes += sent.length;
      return accepted(payload);
    } catch (error) {
      this.fault ??= `${path}: ${(error as Error).message.slice(0, MAX_FAULT_LENGTH)}`;
      return new Response('malformed', { status: 400 });
    }
  }

  /** Counts a request that is not taken. `name` is its method and path, if it has one. */
  refuse(kind: RefusalKind, name?: string): Response {
    countRefusal(this.refused, kind, name);
    return new Response('unknown', { status: 404 });
  }
}

/** @throws Error if what was sent is too large, or not in the encoding that the request says */
function payloadOf({ headers }: Request, path: string, sent: Buffer): Payload {
  if (sent.length > MAX_PAYLOAD_BYTES)
    throw new Error(`a payload of more than ${MAX_PAYLOAD_BYTES} bytes`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  const body = decompress(sent, encoding, MAX_PAYLOAD_BYTES);
  if (!body) throw new Error(`the content-encoding ${encoding} is unknown`);
  return { path, mediaType: headers.get('content-type')?.split(';')[0] ?? '', body };
}

/**
 * An empty message of either encoding of OTLP says that all was taken; the other protocols expect
 * JSON.
 */
function accepted({ mediaType }: Payload): Response {
  const isProtobuf = mediaType === 'application/x-protobuf';
  return isProtobuf
    ? new Response('', { headers: { 'content-type': mediaType } })
    : Response.json({});
}
