import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import type { Exported } from '../result/schema.ts';
import { matchesAnyName, type NamePattern } from '../suite/telemetry.ts';
import { Intake } from './intake.ts';
import type { RequestHandler } from './listen.ts';
import type { Json, Payload, Protocol } from './protocols/protocol.ts';
import type { RefusalKind } from './refusals.ts';

const SLOW_ANSWER_MS = 1_000;

/** What a sink has received so far. */
export interface SinkCounts {
  /** Those of uncounted names are left out. */
  spans: number;
  payloads: number;
  /** How many of the payloads are of metrics. */
  metricPayloads: number;
  logRecords: number;
  profiles: number;
  /** They are counted as they were sent, packed or not. */
  bytes: number;
  refused: Exported['refused'];
  /** Why the counts are not to be believed; null if they are. */
  fault: string | null;
}

/**
 * Counts spans and log records under load, and keeps none. It behaves as a collector in trouble,
 * and tells its counts all the while.
 */
export class Counter implements RequestHandler {
  private readonly intake = new Intake((protocol, payload) => this.count(protocol, payload));
  private spans = 0;
  private metricPayloads = 0;
  private logRecords = 0;
  private profiles = 0;

  constructor(
    /** Spans of these names are not counted. */
    private readonly uncounted: NamePattern[],
    private readonly behaviour: ReceiverBehaviour,
    private readonly sleep: (ms: number) => Promise<unknown> = Bun.sleep,
  ) {}

  async answer(request: Request): Promise<Response> {
    if (request.url.endsWith('/counts')) return Response.json(this.counts());
    switch (this.behaviour) {
      case 'hangs':
        return new Promise(() => {});
      case 'refuses':
        await request.bytes();
        return new Response('overloaded', { status: 503 });
      case 'slow':
        await this.sleep(SLOW_ANSWER_MS);
        return this.intake.answer(request);
      // The address of a receiver that is gone is another one: nobody listens there.
      case 'gone':
      case 'takes':
        return this.intake.answer(request);
    }
  }

  refuse(kind: RefusalKind, name?: string): Response {
    return this.intake.refuse(kind, name);
  }

  private counts(): SinkCounts {
    const { payloads, bytes, refused, fault } = this.intake;
    return {
      spans: this.spans,
      payloads,
      metricPayloads: this.metricPayloads,
      logRecords: this.logRecords,
      profiles: this.profiles,
      bytes,
      refused: refused.map(({ request, count }) => ({ request, count })),
      fault,
    };
  }

  private count(protocol: Protocol, payload: Payload): void {
    const { spans = [], points, logRecords = 0, profiles = 0 } = protocol.decode(payload);
    if (points) this.metricPayloads++;
    this.logRecords += logRecords;
    this.profiles += profiles;
    if (this.uncounted.length === 0) {
      this.spans += spans.length;
      return;
    }
    const { nameOf = (span: Json) => protocol.spanOf(span).name } = protocol;
    const counted = spans.filter((span) => !matchesAnyName(this.uncounted, nameOf(span)));
    this.spans += counted.length;
  }
}
