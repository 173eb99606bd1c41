import { Intake } from './intake.ts';
import type { Payload, Protocol } from './protocol.ts';

/** All that a sink keeps of what it receives. */
export type SinkCounts = SpanCounter['counts'];

/** Counts the spans in requests of any protocol, and keeps nothing else. */
export class SpanCounter extends Intake {
  private spans = 0;

  get counts() {
    const { spans, reason } = this;
    return { spans, reason };
  }

  protected override take(protocol: Protocol, payload: Payload): void {
    this.spans += protocol.count(payload);
  }
}
