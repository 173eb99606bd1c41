import { Intake } from '../sink/intake.ts';
import type { ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';

/** Receives on 127.0.0.1, and keeps what came. */
export class Receiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  private readonly series = new Map<string, ReceivedPoint>();
  private readonly intake = new Intake((protocol, payload) => {
    const { spans = [], points = [] } = protocol.decode(payload);
    this.spans.push(...spans);
    for (const point of points) {
      const key = JSON.stringify([point.metric, point.attributes, point.resource]);
      const before = point.isDelta ? (this.series.get(key)?.count ?? 0) : 0;
      this.series.set(key, { ...point, count: before + point.count });
    }
  });
  private readonly server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => this.intake.answer(request),
  });

  /** Host and port, for the server's variables. */
  get address(): string {
    return `127.0.0.1:${this.server.port}`;
  }

  /** Why something could not be read; null if all could. */
  get fault(): string | null {
    return this.intake.fault;
  }

  /** What was sent and is not taken, in words. */
  get refused(): string[] {
    return [...this.intake.refused].map(([request, count]) => `${request} was refused (${count} times)`);
  }

  /** The last word on each series. */
  get points(): ReceivedPoint[] {
    return [...this.series.values()];
  }

  readonly [Symbol.asyncDispose] = () => this.server.stop(true);
}
