import { decodeTraces } from './datadog.ts';
import { decodeExport, type Export, type ReceivedPoint, type ReceivedSpan } from './otlp.ts';
import { decodeEnvelope } from './sentry.ts';

/** What a server has sent. */
export interface Received {
  spans: ReceivedSpan[];
  /** The last word on each series. */
  points: ReceivedPoint[];
  /** Requests that could not be read, with the reason. */
  malformed: string[];
}

/** How a tracer sends what it recorded: an entry in this list for each way. */
const PROTOCOLS: { requests: RegExp; decode: (body: Uint8Array, mediaType: string) => Export }[] = [
  { requests: /^POST \/v1\/traces$/, decode: (body, mediaType) => decodeExport('traces', mediaType, body) },
  { requests: /^POST \/v1\/metrics$/, decode: (body, mediaType) => decodeExport('metrics', mediaType, body) },
  { requests: /^POST \/api\/\d+\/envelope\/$/, decode: (body) => ({ spans: decodeEnvelope(body), points: [] }) },
  { requests: /^(PUT|POST) \/v0\.4\/traces$/, decode: (body) => ({ spans: decodeTraces(body), points: [] }) },
];

/** Receives on 127.0.0.1 by all of these, compressed or not, and keeps what came. */
export class Receiver implements AsyncDisposable {
  private readonly spans: ReceivedSpan[] = [];
  private readonly series = new Map<string, ReceivedPoint>();
  private readonly malformed: string[] = [];
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => this.answer(request),
  });

  /** Host and port, for the server's variables. */
  get address(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  get received(): Received {
    return { spans: this.spans, points: [...this.series.values()], malformed: this.malformed };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
  }

  private async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    const protocol = PROTOCOLS.find(({ requests }) => requests.test(`${request.method} ${path}`));
    if (!protocol) return new Response('unknown', { status: 404 });
    const mediaType = request.headers.get('content-type')?.split(';')[0] ?? '';
    try {
      this.keep(protocol.decode(await bodyOf(request), mediaType));
    } catch (error) {
      this.malformed.push(`${path}: ${(error as Error).message.slice(0, 200)}`);
      return new Response('malformed', { status: 400 });
    }
    // An empty answer, of either encoding of OTLP, says that all was taken.
    const isProtobuf = mediaType === 'application/x-protobuf';
    return new Response(isProtobuf ? '' : '{}', {
      headers: { 'content-type': isProtobuf ? mediaType : 'application/json' },
    });
  }

  private keep({ spans, points }: Export): void {
    this.spans.push(...spans);
    for (const point of points) {
      const key = JSON.stringify([point.metric, sorted(point.attributes), sorted(point.resource)]);
      const before = point.isDelta ? (this.series.get(key)?.count ?? 0) : 0;
      this.series.set(key, { ...point, count: before + point.count });
    }
  }
}

async function bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Uint8Array(await request.arrayBuffer());
  return request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(body) : body;
}

function sorted(attributes: object): [string, unknown][] {
  return Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
}
