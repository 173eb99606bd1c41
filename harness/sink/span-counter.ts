import { datadog } from './datadog-spans.ts';
import { Intake } from './intake.ts';
import { otlp } from './otlp-spans.ts';
import { sentry } from './sentry-spans.ts';

/** All that a sink keeps of what it receives. */
export type SinkCounts = SpanCounter['counts'];

/** Counts the spans in requests of any protocol, and keeps nothing else. */
export class SpanCounter extends Intake<number> {
  private spans = 0;

  constructor() {
    // A protocol is a file and an entry here. None looks at more than it must.
    super([otlp, sentry, datadog]);
  }

  get counts() {
    const { spans, bytes, malformed, reason } = this;
    return { spans, bytes, malformed, reason };
  }

  protected override take(spans: number): void {
    this.spans += spans;
  }
}
