import { type Attributes, type Meter, ROOT_CONTEXT } from '@opentelemetry/api';
import { METRIC_HTTP_SERVER_REQUEST_DURATION } from '@opentelemetry/semantic-conventions';
import { Instrument } from './instrument.ts';

/** As the semantic conventions recommend, in seconds. */
const explicitBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const options = { description: 'Duration of HTTP server requests.', unit: 's', advice: { explicitBucketBoundaries } };

/** Measures how long requests take. */
export class MetricsInstrument extends Instrument {
  private readonly duration;

  constructor(isDisabled: boolean, meter: Meter) {
    super(isDisabled);
    this.duration = meter.createHistogram(METRIC_HTTP_SERVER_REQUEST_DURATION, options);
  }

  record(durationMs: number, attributes: Attributes): void {
    // No part of the SDK asks a measurement for its context, and to look it up costs time.
    this.duration.record(durationMs / 1000, attributes, ROOT_CONTEXT);
  }
}
