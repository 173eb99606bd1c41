// What the tests share. It is not part of the package.
import { AggregationTemporality, type HistogramMetricData, InMemoryMetricExporter } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { Inspector, type InspectorOptions } from '../index.ts';

/** An inspector whose spans and metrics stay in memory. */
export function inMemory(options: InspectorOptions = {}) {
  const spanExporter = new InMemorySpanExporter();
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const inspector = new Inspector({ spanExporter, metricExporter, ...options });
  return {
    inspector,
    async spans(): Promise<ReadableSpan[]> {
      await inspector.flush();
      return spanExporter.getFinishedSpans();
    },
    /** The data points of the latest collection. */
    async dataPoints() {
      await inspector.flush();
      const metrics =
        metricExporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return (metrics as HistogramMetricData[]).flatMap((metric) => metric.dataPoints);
    },
    async metric() {
      await inspector.flush();
      return metricExporter.getMetrics().at(-1)?.scopeMetrics[0]?.metrics[0] as HistogramMetricData;
    },
  };
}

export function named(spans: ReadableSpan[], name: string): ReadableSpan {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1) throw new Error(`${found.length} spans named ${name}: ${spans.map((span) => span.name)}`);
  return found[0] as ReadableSpan;
}

/** The name of a span's parent among `spans`; undefined for a root. */
export function parentName(spans: ReadableSpan[], span: ReadableSpan): string | undefined {
  return spans.find((candidate) => candidate.spanContext().spanId === span.parentSpanContext?.spanId)?.name;
}

/** A promise and the function that resolves it. */
export function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
