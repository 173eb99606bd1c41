import { datadog } from '../sink/datadog-spans.ts';
import { Intake } from '../sink/intake.ts';
import { otlp } from '../sink/otlp-spans.ts';
import { sentry } from '../sink/sentry-spans.ts';
import { decodeTraces } from './datadog.ts';
import { decodeExport, type Export, type ReceivedPoint, type ReceivedSpan } from './otlp.ts';
import { decodeEnvelope } from './sentry.ts';

/** Receives on 127.0.0.1, and keeps what came. */
export class Receiver extends Intake<Export> implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  private readonly series = new Map<string, ReceivedPoint>();
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => this.answer(request),
  });

  constructor() {
    super([
      { requests: otlp.requests, read: decodeExport },
      { requests: sentry.requests, read: ({ body }) => ({ spans: decodeEnvelope(body), points: [] }) },
      { requests: datadog.requests, read: ({ body }) => ({ spans: decodeTraces(body), points: [] }) },
    ]);
  }

  /** Host and port, for the server's variables. */
  get address(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  /** The last word on each series. */
  get points(): ReceivedPoint[] {
    return [...this.series.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.stop(true);
  }

  protected override take({ spans, points }: Export): void {
    this.spans.push(...spans);
    for (const point of points) {
      const key = JSON.stringify([point.metric, point.attributes, point.resource]);
      const before = point.isDelta ? (this.series.get(key)?.count ?? 0) : 0;
      this.series.set(key, { ...point, count: before + point.count });
    }
  }
}
