import { Intake } from '../sink/intake.ts';
import type { Payload, Protocol, ReceivedPoint, ReceivedSpan } from '../sink/protocols/protocol.ts';

/** Keeps what came. */
export class Recorder extends Intake {
  spans: ReceivedSpan[] = [];
  /** Of each log record, whether it has a trace. */
  logs: boolean[] = [];
  /** The last point of each series of each metric, and of those that were forgotten, the last one before. */
  private readonly series = new Map<string, ReceivedPoint>();
  private forgotten = new Map<string, ReceivedPoint>();

  /** `isGrpc`: what comes by HTTP, as OTLP too, is refused. */
  constructor(private readonly isGrpc = false) {
    super((protocol, payload) => this.keep(protocol, payload));
  }

  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    return this.isGrpc && pathname.startsWith('/v1/')
      ? this.refuse('not-grpc', `POST ${pathname}`)
      : super.answer(request);
  }

  private keep(protocol: Protocol, payload: Payload): void {
    const { spans = [], points = () => [], logs = () => [] } = protocol.decode(payload);
    this.spans.push(...spans.map(protocol.spanOf));
    this.logs.push(...logs());
    for (const point of points()) {
      const key = JSON.stringify([point.metric, point.attributes, point.series]);
      // What was forgotten comes again and again, too.
      if (point.count !== this.series.get(key)?.count) this.series.set(key, point);
    }
  }

  /** Starts anew: what came so far is of requests that nobody counts, but for what `isKept` by its name. */
  forget(isKept: (name: string) => boolean): void {
    this.spans = this.spans.filter(({ name }) => isKept(name));
    this.logs = [];
    this.forgotten = new Map([...this.series].filter(([, { metric }]) => !isKept(metric)));
  }

  get points(): ReceivedPoint[] {
    const own = [...this.series].filter(([key, point]) => point !== this.forgotten.get(key));
    return own.map(([key, point]) => ({
      ...point,
      count: point.count - (this.forgotten.get(key)?.count ?? 0),
    }));
  }
}
