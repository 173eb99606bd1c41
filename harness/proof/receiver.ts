import { Intake } from '../sink/intake.ts';
import { listen } from '../sink/listen.ts';
import type { Payload, Protocol, ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';

/** Receives on 127.0.0.1, and keeps what came. */
export class Receiver extends Intake implements AsyncDisposable {
  spans: ReceivedSpan[] = [];
  /** How many log records have a trace, and how many have none. */
  logs = { traced: 0, others: 0 };
  private readonly series = new Map<string, ReceivedPoint>();
  private forgotten = new Map<string, number>();
  private listening: Awaited<ReturnType<typeof listen>> | undefined;

  constructor() {
    super((protocol, payload) => this.keep(protocol, payload));
  }

  private keep(protocol: Protocol, payload: Payload): void {
    const { spans = [], points = () => [], logs = () => [] } = protocol.decode(payload);
    this.spans.push(...spans.map(protocol.spanOf));
    for (const isTraced of logs()) this.logs[isTraced ? 'traced' : 'others']++;
    for (const point of points()) {
      const key = JSON.stringify([point.metric, point.attributes, point.resource, point.start]);
      const before = point.isDelta ? (this.series.get(key)?.count ?? 0) : 0;
      this.series.set(key, { ...point, count: before + point.count });
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
    const others = [...this.series].filter(([, { metric }]) => !isKept(metric));
    this.forgotten = new Map(others.map(([key, { count }]) => [key, count]));
  }

  /** The last word on each series. */
  get points(): ReceivedPoint[] {
    return [...this.series].flatMap(([key, point]) => {
      const count = point.count - (this.forgotten.get(key) ?? 0);
      return count === 0 && this.forgotten.has(key) ? [] : [{ ...point, count }];
    });
  }

  readonly [Symbol.asyncDispose] = async () => this.listening?.[Symbol.asyncDispose]();
}
