import { Intake, refusals } from '../sink/intake.ts';
import { listen } from '../sink/listen.ts';
import type { ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';

/** Receives on 127.0.0.1, and keeps what came. */
export class Receiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  /** Log records. */
  logs = 0;
  private bytes = 0;
  private readonly series = new Map<string, ReceivedPoint>();
  private readonly intake = new Intake((protocol, payload) => {
    this.bytes += payload.body.length;
    if (this.bytes > MAX_KEPT_BYTES) throw new Error(`more than ${MAX_KEPT_BYTES} bytes came`);
    const { spans = [], points = [], logs = 0 } = protocol.decode(payload);
    this.spans.push(...spans);
    this.logs += logs;
    for (const point of points) {
      const key = JSON.stringify([point.metric, point.attributes, point.resource]);
      const before = point.isDelta ? (this.series.get(key)?.count ?? 0) : 0;
      this.series.set(key, { ...point, count: before + point.count });
    }
  });
  private forgotten = new Map<string, number>();
  private listening: Awaited<ReturnType<typeof listen>> | undefined;

  /** Resolves with host and port, for the server's variables. */
  async listen(): Promise<string> {
    this.listening = await listen(this.intake);
    return this.listening.address;
  }

  /** Why something could not be read; null if all could. */
  get fault(): string | null {
    return this.intake.fault;
  }

  /** What was sent and is not taken, in words. */
  get refused(): string[] {
    return refusals(this.intake.refused);
  }

  /** Starts anew: what came so far is of requests that nobody counts. */
  forget(): void {
    this.spans.length = 0;
    this.logs = 0;
    this.forgotten = new Map([...this.series].map(([key, { count }]) => [key, count]));
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

/** Unpacked. Of a proof's few requests nobody makes more. */
const MAX_KEPT_BYTES = 64 * 1024 ** 2;
