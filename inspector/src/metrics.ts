import type { DurationHistogram } from './duration-histogram.ts';
import type { Endpoint, Outcome } from './http.ts';
import type { MetricProducer } from './sdk.ts';

/** Measures requests: `http.server.request.duration`. */
export class MetricsInstrument {
  private isActive = true;

  constructor(private readonly durations: DurationHistogram) {}

  get active(): boolean {
    return this.isActive;
  }

  /** Requests measured so far. */
  get counts(): { readonly recorded: number } {
    return { recorded: this.durations.recorded };
  }

  /** What was measured, for the `metricProducers` of a metric reader of one's own. */
  get producer(): MetricProducer {
    return this.durations;
  }

  activate(): void {
    this.isActive = true;
  }

  /** Requests that begin from here on aren't measured. */
  deactivate(): void {
    this.isActive = false;
  }

  record(endpoint: Endpoint, outcome: Outcome, durationMs: number): void {
    this.durations.record(endpoint, outcome, durationMs / 1000);
  }
}
