import { type HrTime, ValueType } from '@opentelemetry/api';
import type { InstrumentationScope } from '@opentelemetry/core';
import type { HistogramMetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import { toHrTime } from './clock.ts';
import type { Outcome } from './http.ts';
import { Instrument } from './instrument.ts';
import { sharedResource } from './resource.ts';

const descriptor = {
  name: 'http.server.request.duration',
  description: 'Duration of HTTP server requests.',
  unit: 's',
  valueType: ValueType.DOUBLE,
};

/** The bucket boundaries in seconds that the semantic conventions recommend. */
export const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Measures requests in a series for each outcome. The SDK makes and hashes an attributes object for each value. */
export class MetricsInstrument extends Instrument {
  private recorded = 0;
  private readonly series = new Map<Outcome, Series>();
  private readonly startTime: HrTime = toHrTime(Date.now(), 0);

  /** It is for the `metricProducers` option of your own metric reader. */
  readonly producer: MetricProducer = {
    collect: async () => {
      const scopeMetrics = this.recorded === 0 ? [] : [{ scope: this.scope, metrics: [this.snapshot()] }];
      const resourceMetrics = {
        // A reader has a resource of its own: to ask for this one loads the SDK.
        get resource() {
          return sharedResource();
        },
        scopeMetrics,
      };
      return { resourceMetrics, errors: [] };
    },
  };

  constructor(private readonly scope: InstrumentationScope) {
    super(true);
  }

  /** Requests measured so far. */
  get counts(): { readonly recorded: number } {
    return { recorded: this.recorded };
  }

  record(outcome: Outcome, durationMs: number): void {
    this.recorded++;
    let series = this.series.get(outcome);
    if (series === undefined) {
      series = new Series();
      this.series.set(outcome, series);
    }
    series.record(durationMs / 1000);
  }

  private snapshot(): HistogramMetricData {
    const { startTime } = this;
    const endTime = toHrTime(Date.now(), 0);
    return {
      descriptor,
      aggregationTemporality: 1, // AggregationTemporality.CUMULATIVE: to import it would load the SDK
      dataPointType: 0, // DataPointType.HISTOGRAM
      dataPoints: Array.from(this.series, ([{ attributes }, series]) => {
        return { startTime, endTime, attributes, value: structuredClone(series) };
      }),
    };
  }
}

/** The durations of requests that ended alike, as the SDK describes a histogram. */
class Series {
  readonly buckets = { boundaries, counts: new Array<number>(boundaries.length + 1).fill(0) };
  count = 0;
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = 0;

  record(seconds: number): void {
    this.count++;
    this.sum += seconds;
    if (seconds < this.min) this.min = seconds;
    if (seconds > this.max) this.max = seconds;
    let bucket = 0;
    while (seconds > (boundaries[bucket] as number)) bucket++;
    (this.buckets.counts[bucket] as number)++;
  }
}
