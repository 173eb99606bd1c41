import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime, type InstrumentationScope } from '@opentelemetry/core';
import type { HistogramMetricData, MetricProducer } from '@opentelemetry/sdk-metrics';
import { METRIC_HTTP_SERVER_REQUEST_DURATION } from '@opentelemetry/semantic-conventions';
import { type Endpoint, metricAttributes, type Outcome } from './http.ts';
import { Instrument } from './instrument.ts';
import { sharedResource } from './resource.ts';

const descriptor = {
  name: METRIC_HTTP_SERVER_REQUEST_DURATION,
  description: 'Duration of HTTP server requests.',
  unit: 's',
  valueType: ValueType.DOUBLE,
};

/** The bucket boundaries in seconds that the semantic conventions recommend. */
export const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The SDK's default limit: this many combinations of attributes, plus one series for all others. */
const cardinalityLimit = 2000;

/**
 * Measures how long requests take, in the cumulative histogram `http.server.request.duration`. The SDK's own histogram
 * makes and hashes an attributes object for each value. This one finds the series by the endpoint. The SDK collects it
 * as it collects any metric producer.
 */
export class MetricsInstrument extends Instrument {
  private recorded = 0;
  private readonly series = new Map<Endpoint, Series[]>();
  private readonly overflow = new Series({ 'otel.metric.overflow': true });
  private seriesCount = 0;
  private readonly startTime: HrTime = hrTime();

  /** Collects what was measured. It is for the `metricProducers` option of your own metric reader. */
  readonly producer: MetricProducer = {
    collect: async () => {
      const scopeMetrics = this.recorded === 0 ? [] : [{ scope: this.scope, metrics: [this.snapshot()] }];
      return { resourceMetrics: { resource: sharedResource(), scopeMetrics }, errors: [] };
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
    this.seriesOf(outcome).record(durationMs / 1000);
  }

  private seriesOf(outcome: Outcome): Series {
    const candidates = this.series.get(outcome.endpoint) ?? [];
    for (const series of candidates) if (series.isOf(outcome)) return series;
    if (this.seriesCount === cardinalityLimit) return this.overflow;
    this.seriesCount++;
    const series = new Series(metricAttributes(outcome), outcome);
    this.series.set(outcome.endpoint, [...candidates, series]);
    return series;
  }

  private snapshot(): HistogramMetricData {
    const { startTime } = this;
    const endTime = hrTime();
    const all = [...this.series.values()].flat();
    if (this.overflow.count > 0) all.push(this.overflow);
    return {
      descriptor,
      aggregationTemporality: 1, // AggregationTemporality.CUMULATIVE: to import it would load the SDK
      dataPointType: 0, // DataPointType.HISTOGRAM
      dataPoints: all.map(({ attributes, value }) => ({ startTime, endTime, attributes, value })),
    };
  }
}

/** The durations of one combination of attributes. */
class Series {
  count = 0;
  private sum = 0;
  private min = Number.POSITIVE_INFINITY;
  private max = 0;
  private readonly bucketCounts: number[] = new Array(boundaries.length + 1).fill(0);

  constructor(
    readonly attributes: Attributes,
    private readonly outcome?: Outcome,
  ) {}

  isOf({ statusCode, scheme, errorType }: Outcome): boolean {
    const own = this.outcome;
    return own?.statusCode === statusCode && own?.scheme === scheme && own?.errorType === errorType;
  }

  record(seconds: number): void {
    this.count++;
    this.sum += seconds;
    if (seconds < this.min) this.min = seconds;
    if (seconds > this.max) this.max = seconds;
    let bucket = 0;
    while (seconds > (boundaries[bucket] as number)) bucket++;
    (this.bucketCounts[bucket] as number)++;
  }

  get value() {
    const buckets = { boundaries, counts: [...this.bucketCounts] };
    return { buckets, count: this.count, sum: this.sum, min: this.min, max: this.max };
  }
}
