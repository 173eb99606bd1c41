import { decodeExport, type ReceivedPoint, type ReceivedSpan, type Signal } from './otlp.ts';

/** What a server has sent. */
export interface Received {
  spans: ReceivedSpan[];
  /** The last word on each series. */
  points: ReceivedPoint[];
  /** Requests that were no OTLP, with the reason. */
  malformed: string[];
}

/** Receives OTLP/HTTP on 127.0.0.1, JSON or protobuf, compressed or not, and keeps what came. */
export class OtlpReceiver implements AsyncDisposable {
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
    const signal = /^\/v1\/(traces|metrics)$/.exec(new URL(request.url).pathname)?.[1] as Signal | undefined;
    if (request.method !== 'POST' || !signal) return new Response('unknown', { status: 404 });
    const mediaType = request.headers.get('content-type')?.split(';')[0] ?? '';
    try {
      this.keep(decodeExport(signal, mediaType, await bodyOf(request)));
    } catch (error) {
      this.malformed.push(`${signal}: ${(error as Error).message.slice(0, 200)}`);
      return new Response('malformed', { status: 400 });
    }
    // An empty answer of either encoding says that all was taken.
    return new Response(mediaType === 'application/json' ? '{}' : '', {
      headers: { 'content-type': mediaType },
    });
  }

  private keep({ spans, points }: ReturnType<typeof decodeExport>): void {
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
