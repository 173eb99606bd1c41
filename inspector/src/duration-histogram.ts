import { type Attributes, ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_URL_SCHEME,
  METRIC_HTTP_SERVER_REQUEST_DURATION,
} from '@opentelemetry/semantic-conventions';
import type { Endpoint, Outcome } from './http.ts';
import {
  cumulativeHistogram,
  type HistogramMetricData,
  type HrTime,
  type InstrumentationScope,
  type MetricProducer,
  sharedResource,
} from './sdk.ts';

const descriptor = {
  name: METRIC_HTTP_SERVER_REQUEST_DURATION,
  description: 'Duration of HTTP server requests.',
  unit: 's',
  valueType: ValueType.DOUBLE,
};

/** The bucket boundaries in seconds that the semantic conventions recommend. */
export const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** The SDK's default: so many combinations of attributes, and one more for all that exceed it. */
const cardinalityLimit = 2000;

/**
 * `http.server.request.duration`, aggregated where the durations arise. The SDK's own histogram makes a new attributes
 * object and a hash of it for each value; this one finds the series by the endpoint and is collected by the SDK as a
 * metric producer. Cumulative, as OTLP has it by default.
 */
export class DurationHistogram implements MetricProducer {
  /** Durations recorded so far. */
  recorded = 0;
  private readonly series = new Map<Endpoint, Series[]>();
  private readonly overflow = new Series({ 'otel.metric.overflow': true });
  private seriesCount = 0;
  private readonly startTime: HrTime = hrTime();

  constructor(private readonly scope: InstrumentationScope) {}

  record(endpoint: Endpoint, outcome: Outcome, durationSeconds: number): void {
    this.recorded++;
    this.seriesOf(endpoint, outcome).record(durationSeconds);
  }

  async collect(): ReturnType<MetricProducer['collect']> {
    const scopeMetrics = this.recorded === 0 ? [] : [{ scope: this.scope, metrics: [this.snapshot()] }];
    return { resourceMetrics: { resource: sharedResource(), scopeMetrics }, errors: [] };
  }

  private snapshot(): HistogramMetricData {
    const endTime = hrTime();
    const all = [...this.series.values()].flat();
    if (this.overflow.count > 0) all.push(this.overflow);
    const { startTime } = this;
    const dataPoints = all.map(({ attributes, value }) => ({ startTime, endTime, attributes, value }));
    return cumulativeHistogram(descriptor, dataPoints);
  }

  private seriesOf(endpoint: Endpoint, outcome: Outcome): Series {
    const candidates = this.series.get(endpoint) ?? [];
    for (const series of candidates) if (series.isOf(outcome)) return series;
    if (this.seriesCount === cardinalityLimit) return this.overflow;
    this.seriesCount++;
    const series = new Series(metricAttributes(endpoint, outcome), outcome);
    this.series.set(endpoint, [...candidates, series]);
    return series;
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

function metricAttributes(endpoint: Endpoint, { statusCode, scheme, errorType }: Outcome): Attributes {
  return {
    [ATTR_HTTP_REQUEST_METHOD]: endpoint.method,
    [ATTR_URL_SCHEME]: scheme,
    ...(endpoint.route !== undefined && { [ATTR_HTTP_ROUTE]: endpoint.route }),
    ...(statusCode !== undefined && { [ATTR_HTTP_RESPONSE_STATUS_CODE]: statusCode }),
    ...(errorType !== undefined && { [ATTR_ERROR_TYPE]: errorType }),
  };
}
