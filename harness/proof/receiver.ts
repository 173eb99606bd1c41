import { Intake } from '../sink/intake.ts';
import { listen } from '../sink/listen.ts';
import type { Payload, Protocol, ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';

/** Receives on 127.0.0.1, and keeps what came. */
export class Receiver extends Intake implements AsyncDisposable {
  spans: ReceivedSpan[] = [];
  /** How many log records have a trace, and how many have none. */
  logs = { traced: 0, others: 0 };
  /** Each series of each metric, with what it counted. */
  private series = new Map<string, ReceivedPoint>();
  private readonly last = new Map<string, number>();
  private listening: Awaited<ReturnType<typeof listen>> | undefined;

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
    for (const isTraced of logs()) this.logs[isTraced ? 'traced' : 'others']++;
    for (const point of points()) {
      const key = JSON.stringify([point.metric, point.attributes, point.start]);
      const before = this.last.get(key);
      const more = point.isDelta ? point.count : point.count - (before ?? 0);
      this.last.set(key, point.count);
      // What was forgotten comes again and again, too.
      if (more !== 0 || before === undefined)
        this.series.set(key, { ...point, count: (this.series.get(key)?.count ?? 0) + more });
    }
  }

  /** Resolves with host and port, for the server's variables. */
  async listen(): Promise<string> {
    this.listening = await listen(this);
    return this.listening.address;
  }

  /** Starts anew: what came so far is of requests that nobody counts, but for what `isKept` by its name. */
  forget(isKept: (name: string) => boolean): void {
    this.spans = this.spans.filter(({ name }) => isKept(name));
    this.logs = { traced: 0, others: 0 };
    this.series = new Map([...this.series].filter(([, { metric }]) => isKept(metric)));
  }

  get points(): ReceivedPoint[] {
    return [...this.series.values()];
  }

  readonly [Symbol.asyncDispose] = async () => this.listening?.[Symbol.asyncDispose]();
}
