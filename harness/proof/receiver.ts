import { Intake } from '../sink/intake.ts';
import type { Payload, Protocol, ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';

/** Receives on 127.0.0.1, and keeps what came. */
export class Receiver extends Intake implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  private readonly series = new Map<string, ReceivedPoint>();
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => this.answer(request),
  });

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

  protected override take(protocol: Protocol, payload: Payload): void {
    const { spans, points } = protocol.decode(payload);
    this.spans.push(...spans);
    for (const point of points) {
      const key = JSON.stringify([point.metric, point.attributes, point.resource]);
      const before = point.isDelta ? (this.series.get(key)?.count ?? 0) : 0;
      this.series.set(key, { ...point, count: before + point.count });
    }
  }
}
