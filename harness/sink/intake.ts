import { decompress } from '../exchange/decompress.ts';
import type { Exported } from '../result/schema.ts';
import { readUpTo } from '../words/read-up-to.ts';
import { datadog } from './datadog.ts';
import { elastic } from './elastic.ts';
import { otlp } from './otlp.ts';
import type { Payload, Protocol } from './protocol.ts';
import { sentry } from './sentry.ts';

/** A protocol is a file and an entry here. */
const PROTOCOLS = [otlp, sentry, datadog, elastic];

/** Before they send, Datadog's and Elastic's tracers ask whom: one from 8.0 on gets from Elastic's what is sampled alone. */
const QUESTION = /^GET \/(info)?$/;
const ABOUT = { version: '8.19.0' };

/** Of one payload, packed or not: four times what a batch of 64 spans with recorded bodies has. */
export const MAX_BYTES = 16 * 1024 ** 2;
/** So many kinds of refused requests are told apart. */
const MAX_REFUSED = 10;
const OTHERS = 'other requests';

/** Takes requests of all protocols, compressed or not. */
export class Intake {
  /** Why the first payload that could not be read could not; null if all could. */
  fault: string | null = null;
  /** What was taken: payloads, and their bytes as they were sent. */
  payloads = 0;
  bytes = 0;
  /** How often each request came that was not taken, by method and path: `POST /v1/other`; or what is no request. */
  readonly refused: Exported['refused'] = [];

  /** `take` keeps what it needs of a payload, and throws if that can't be read. */
  constructor(private readonly take: (protocol: Protocol, payload: Payload) => void) {}

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const name = `${request.method} ${path}`;
    if (QUESTION.test(name)) return Response.json(ABOUT);
    const protocol = PROTOCOLS.find(({ requests }) => requests.test(name));
    if (!protocol) return this.refuse(name);
    const mediaType = request.headers.get('content-type')?.split(';')[0] ?? '';
    const encoding = request.headers.get('content-encoding') ?? 'identity';
    const sent = await readUpTo(request.body ?? [], MAX_BYTES).catch(() => undefined);
    // As by a tracer that ends while it still sends: its spans are missing then, and no more is wrong.
    if (!sent) return this.refuse(`${name}, broken off,`);
    try {
      if (sent.length > MAX_BYTES) throw new Error(`a payload of more than ${MAX_BYTES} bytes`);
      const body = decompress(sent, encoding, MAX_BYTES);
      if (!body) throw new Error(`the content-encoding ${encoding} is unknown`);
      this.take(protocol, { path, mediaType, body });
      this.payloads++;
      this.bytes += sent.length;
    } catch (error) {
      this.fault ??= `${path}: ${(error as Error).message.slice(0, 200)}`;
      return new Response('malformed', { status: 400 });
    }
    // An empty message of either encoding of OTLP says that all was taken; the other protocols expect JSON.
    if (mediaType === 'application/x-protobuf')
      return new Response('', { headers: { 'content-type': mediaType } });
    return Response.json({});
  }

  refuse(request: string): Response {
    const find = (kind: string) => this.refused.find((each) => each.request === kind);
    const kind = this.refused.length < MAX_REFUSED || find(request) ? request : OTHERS;
    const same = find(kind);
    if (same) same.count++;
    else this.refused.push({ request: kind, count: 1 });
    return new Response('unknown', { status: 404 });
  }
}

/** In words: `17 x POST /v1/other were refused`. */
export function refusals(refused: Exported['refused']): string[] {
  return refused.map(
    ({ request, count }) => `${count} x ${request} ${count === 1 ? 'was' : 'were'} refused`,
  );
}
