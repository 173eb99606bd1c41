// The only file that loads the OpenTelemetry SDK (resource.ts aside), and only what an exporter needs. Other files import types
// from it, which loads nothing. With the SDK loaded but unused, a server needed 2.7 % more CPU for each request (4 forks,
// standard deviation 1.0 %), because the heap is larger.
import { ExportResultCode } from '@opentelemetry/core';
import type { MeterProvider, MetricProducer, PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { EncodedBatch } from './encoded-batch.ts';
import { ExporterBatch, NoBatch } from './exporter-batch.ts';
import { otlpSender, otlpVariable, type Send, type Signal } from './otlp-http.ts';
import { sharedResource } from './resource.ts';
import { SpanProcessor } from './span-processor.ts';

export interface SdkOptions {
  /** Where spans go. Default: what the environment says. */
  spanExporter?: SpanExporter;
  /** Where metrics go. Default: what the environment says. */
  metricExporter?: PushMetricExporter;
  /** How many ended spans may wait for export. Default: 65,536, or 2048 for an own `spanExporter`. */
  spanCapacity?: number;
}

const destinations = ['none', 'discard', 'otlp'] as const;

/** Where the environment wants a signal to go. */
export type Destination = (typeof destinations)[number];

/** Reads `OTEL_<signal>_EXPORTER`. If it is unset or unknown, names `otlp` if there is an OTLP endpoint, else `none`. */
export function destinationOf(signal: Signal): Destination {
  const byDefault = otlpVariable(signal, 'ENDPOINT') ? 'otlp' : 'none';
  const variable = `OTEL_${signal}_EXPORTER`;
  return oneOf(destinations, variable, process.env[variable]) ?? byDefault;
}

const warnings = new Set<string>();

/** Warns, once, of a value that is not allowed, and returns undefined then. */
function oneOf<T extends string>(allowed: readonly T[], variable: string, value: string | undefined): T | undefined {
  const found = allowed.find((each) => each === value);
  const warning = `@tracetax/inspector ignores ${variable}=${value}: it knows ${allowed.join(', ')}`;
  if (value && found === undefined && !warnings.has(warning)) console.warn(warning);
  warnings.add(warning);
  return found;
}

const unlimited = Number.POSITIVE_INFINITY;

/** @param batchSize how many spans an exporter of the SDK's kind gets at once */
export function createSpanProcessor(options: SdkOptions, destination: Destination, batchSize = 512): SpanProcessor {
  const { spanExporter, spanCapacity } = options;
  const delayMs = Number(process.env.OTEL_BSP_SCHEDULE_DELAY) || 1_000;
  if (spanExporter !== undefined) {
    const spans = spanCapacity ?? 2048;
    const size = Math.min(batchSize, spans);
    const createBatch = () => new ExporterBatch(spanExporter, size);
    return new SpanProcessor(createBatch, { spans, batches: unlimited, delayMs }, spanExporter);
  }
  if (destination === 'none') {
    return new SpanProcessor(() => new NoBatch(), { spans: unlimited, batches: unlimited, delayMs });
  }
  const send = senderTo(destination, 'TRACES');
  return new SpanProcessor(() => new EncodedBatch(send), { spans: spanCapacity ?? 65_536, batches: 128, delayMs });
}

/** Returns a provider that exports what `producer` collects, every `OTEL_METRIC_EXPORT_INTERVAL` ms, if it is to go anywhere. */
export function createMeterProvider(
  { metricExporter }: SdkOptions,
  destination: Destination,
  producer: MetricProducer,
): MeterProvider | undefined {
  const exporter = metricExporter ?? createMetricExporter(destination);
  if (exporter === undefined) return undefined;
  const sdk: typeof import('@opentelemetry/sdk-metrics') = require('@opentelemetry/sdk-metrics');
  const exportIntervalMillis = Number(process.env.OTEL_METRIC_EXPORT_INTERVAL) || 60_000;
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter,
    metricProducers: [producer],
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(30_000, exportIntervalMillis),
  });
  return new sdk.MeterProvider({ resource: sharedResource(), readers: [reader] });
}

function createMetricExporter(destination: Destination): PushMetricExporter | undefined {
  if (destination === 'none') return undefined;
  const transformer: typeof import('@opentelemetry/otlp-transformer') = require('@opentelemetry/otlp-transformer');
  const send = senderTo(destination, 'METRICS');
  return {
    export(metrics, done) {
      const request = transformer.ProtobufMetricsSerializer.serializeRequest(metrics);
      send(request as Uint8Array<ArrayBuffer>).then(
        () => done({ code: ExportResultCode.SUCCESS }),
        (error) => done({ code: ExportResultCode.FAILED, error }),
      );
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

function senderTo(destination: Destination, signal: Signal): Send {
  if (destination === 'discard') return async () => {};
  oneOf(['http/protobuf'], 'OTEL_EXPORTER_OTLP_PROTOCOL', otlpVariable(signal, 'PROTOCOL'));
  return otlpSender(signal);
}
