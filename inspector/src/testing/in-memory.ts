// What the tests share. It is not part of the package.
import { spyOn } from 'bun:test';
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { HistogramMetricData, ResourceMetrics } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { Inspector, type InspectorOptions } from '../inspector.ts';

const exportedSpans: ReadableSpan[] = [];
const exportedMetrics: ResourceMetrics[] = [];
spyOn(OTLPTraceExporter.prototype, 'export').mockImplementation((spans, done) => {
  if (receiver.isDown) return done({ code: 1, error: new Error('down') });
  exportedSpans.push(...spans);
  done({ code: 0 });
});
spyOn(OTLPMetricExporter.prototype, 'export').mockImplementation((resourceMetrics, done) => {
  exportedMetrics.push(
    structuredClone({ ...resourceMetrics, resource: resourceMetrics.resource.attributes }) as never,
  );
  done({ code: 0 });
});

let inspectors = 0;
/** Where spans go. */
export const receiver = { isDown: false };

/** An inspector that the API uses, and whose spans and metrics stay in this process. */
export function inMemory(options: InspectorOptions = {}) {
  for (const api of [trace, metrics, propagation, context]) api.disable();
  const service = `test ${inspectors++}`;
  process.env.OTEL_SERVICE_NAME = service;
  const inspector = new Inspector(options);
  return {
    inspector,
    async spans(): Promise<ReadableSpan[]> {
      await inspector.flush();
      return exportedSpans.filter(
        ({ resource }) => resource.attributes['service.name'] === service,
      );
    },
    /** The histogram as it is now; undefined before the first request. */
    async metric(): Promise<HistogramMetricData | undefined> {
      await inspector.flush();
      const last = exportedMetrics.findLast(
        ({ resource }) => (resource as never)['service.name'] === service,
      );
      return last?.scopeMetrics[0]?.metrics[0] as HistogramMetricData | undefined;
    },
  };
}

/**
 * The spans in the order in which they ended, each with its parent: `inner < outer, outer < none`.
 */
export function tree(spans: ReadableSpan[]): string {
  const names = new Map(spans.map((span) => [span.spanContext().spanId, span.name]));
  return spans
    .map((span) => `${span.name} < ${names.get(span.parentSpanContext?.spanId ?? '') ?? 'none'}`)
    .join(', ');
}
