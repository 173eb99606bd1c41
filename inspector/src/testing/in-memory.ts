// What the tests share. It is not part of the package.
import type { HistogramMetricData } from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { Inspector, type InspectorOptions } from '../index.ts';

/** An inspector whose spans and metrics stay in memory. */
export function inMemory(options: InspectorOptions = {}) {
  const spanExporter = new InMemorySpanExporter();
  const inspector = new Inspector({ spanExporter, ...options });
  /** The histogram of the latest collection; undefined before the first request. */
  const metric = async () => {
    const { resourceMetrics } = await inspector.instruments.metrics.producer.collect();
    return resourceMetrics.scopeMetrics[0]?.metrics[0] as HistogramMetricData | undefined;
  };
  return {
    inspector,
    metric,
    dataPoints: async () => (await metric())?.dataPoints ?? [],
    async spans(): Promise<ReadableSpan[]> {
      await inspector.flush();
      return spanExporter.getFinishedSpans();
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
