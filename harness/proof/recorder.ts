import { Intake } from '../sink/intake.ts';
import type { Payload, Protocol, ReceivedPoint, ReceivedSpan } from '../sink/protocols/protocol.ts';

/** An intake that keeps all that arrives. */
export class Recorder extends Intake {
  spans: ReceivedSpan[] = [];
  /** For each log record, whether it has a trace. */
  logs: boolean[] = [];
  /** Also of the time before it forgot: they come by the clock, and are of no request. */
  profiles = 0;
  /** The last point of each series of each metric. */
  private readonly series = new Map<string, ReceivedPoint>();
  /** Of the series that were forgotten, the last point before that. */
  private forgotten = new Map<string, ReceivedPoint>();

  /** @param refusedPaths those of OTLP by HTTP that a server is to leave alone */
  constructor(private readonly refusedPaths: readonly string[] = []) {
    super((protocol, payload) => this.keep(protocol, payload));
  }

  override async answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    return this.refusedPaths.includes(pathname)
      ? this.refuse('not-grpc', `POST ${pathname}`)
      : super.answer(request);
  }

  /**
   * Forgets what came so far: it is of requests that nobody counts. `isKept` tells by the name of a
   * span or metric what comes without a request.
   */
  forget(isKept: (name: string) => boolean): void {
    this.spans = this.spans.filter(({ name }) => isKept(name));
    this.logs = [];
    this.forgotten = new Map([...this.series].filter(([, { metric }]) => !isKept(metric)));
  }

  /** The last point of each series, without what was counted before it was forgotten. */
  get points(): ReceivedPoint[] {
    const counting = [...this.series].filter(([key, point]) => point !== this.forgotten.get(key));
    return counting.map(([key, point]) => {
      const countBefore = this.forgotten.get(key)?.count ?? 0;
      return { ...point, count: point.count - countBefore };
    });
  }

  private keep(protocol: Protocol, payload: Payload): void {
    const decoded = protocol.decode(payload);
    const { spans = [], points = () => [], logs = () => [], profiles = 0 } = decoded;
    this.profiles += profiles;
    this.spans.push(...spans.map(protocol.spanOf));
    this.logs.push(...logs());
    for (const point of points()) this.keepPoint(point);
  }

  private keepPoint(point: ReceivedPoint): void {
    const key = JSON.stringify([point.metric, point.attributes, point.series]);
    // A cumulative series that counts nothing more is sent again and again, also once forgotten.
    const isNew = point.count !== this.series.get(key)?.count;
    if (isNew) this.series.set(key, point);
  }
}
