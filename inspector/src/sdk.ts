// The only file that knows the OpenTelemetry SDK, its exporters and its environment variables.
import type { MeterProvider as ApiMeterProvider, HrTime } from '@opentelemetry/api';
import type { InstrumentationScope } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, type Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type HistogramMetricData,
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter, SpanProcessor, TimedEvent } from '@opentelemetry/sdk-trace-base';
import { BoundedSpanProcessor, DiscardingSpanExporter } from './span-processor.ts';

export type {
  ApiMeterProvider,
  HistogramMetricData,
  HrTime,
  InstrumentationScope,
  MetricProducer,
  PushMetricExporter,
  ReadableSpan,
  Resource,
  SpanExporter,
  SpanProcessor,
  TimedEvent,
};
export { AggregationTemporality, DataPointType };

export interface SdkOptions {
  /** Where spans go; by default by OTLP where an endpoint is set, else they are taken, counted and let go. */
  spanExporter?: SpanExporter;
  /** Where metrics go; by default by OTLP where an endpoint is set, else they stay in memory. */
  metricExporter?: PushMetricExporter;
  /** How many ended spans may wait for export; default 2048. */
  spanCapacity?: number;
}

/** True where the environment names an OTLP endpoint for `signal`. */
export function hasOtlpEndpoint(signal: 'TRACES' | 'METRICS'): boolean {
  const { env } = process;
  return Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]);
}

/** The SDK's default resource, with `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`. */
export function createResource(): Resource {
  return defaultResource().merge(detectResources({ detectors: [envDetector] }));
}

export function createSpanProcessor(options: SdkOptions): BoundedSpanProcessor {
  const otlp = () => (hasOtlpEndpoint('TRACES') ? new OTLPTraceExporter() : new DiscardingSpanExporter());
  return new BoundedSpanProcessor(options.spanExporter ?? otlp(), options.spanCapacity);
}

/** A provider that exports what `producer` collects, at `OTEL_METRIC_EXPORT_INTERVAL` ms; undefined without exporter. */
export function createMeterProvider(
  options: SdkOptions,
  resource: Resource,
  producer: MetricProducer,
): MeterProvider | undefined {
  const exporter =
    options.metricExporter ?? (hasOtlpEndpoint('METRICS') ? new OTLPMetricExporter() : undefined);
  if (exporter === undefined) return undefined;
  const exportIntervalMillis = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000;
  const reader = new PeriodicExportingMetricReader({
    exporter,
    metricProducers: [producer],
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(30_000, exportIntervalMillis),
  });
  return new MeterProvider({ resource, readers: [reader] });
}
