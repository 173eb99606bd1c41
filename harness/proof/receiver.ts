import { Intake } from '../sink/intake.ts';
import type { Payload, Protocol, ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';

/** Keeps what came. */
export class Receiver extends Intake {
  spans: ReceivedSpan[] = [];
  /** Of each log record, whether it has a trace. */
  logs: boolean[] = [];
  /** Each series of each metric, with what it counted. */
  private series = new Map<string, ReceivedPoint>();
  private readonly last = new Map<string, number>();

  /** `isGrpc`: what comes by HTTP, as OTLP too, is refused. */
  constructor(private readonly isGrpc = false) {
    super((protocol, payload) => this.keep(protocol, payload));
  }

  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    return this.isGrpc && pathname.startsWith('/v1/')
      ? this.refuse(`POST ${pathname}, which is no gRPC,`)
      : super.answer(request);
  }

  private keep(protocol: Protocol, payload: Payload): void {
    const { spans = [], points = () => [], logs = () => [] } = protocol.decode(payload);
    this.spans.push(...spans.map(protocol.spanOf));
    this.logs.push(...logs());
    for (const point of points()) {
      const key = JSON.stringify([point.metric, point.attributes, point.start]);
      const before = this.last.get(key);
      const more = point.count - (before ?? 0);
      this.last.set(key, point.count);
      // What was forgotten comes again and again, too.
      if (more !== 0 || before === undefined)
        this.series.set(key, { ...point, count: (this.series.get(key)?.count ?? 0) + more });
    }
  }

  /** Starts anew: what came so far is of requests that nobody counts, but for what `isKept` by its name. */
  forget(isKept: (name: string) => boolean): void {
    this.spans = this.spans.filter(({ name }) => isKept(name));
    this.logs = [];
    this.series = new Map([...this.series].filter(([, { metric }]) => isKept(metric)));
  }

  get points(): ReceivedPoint[] {
    return [...this.series.values()];
  }
}
