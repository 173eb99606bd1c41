import { diag } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, getNumberFromEnv } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, type Resource } from '@opentelemetry/resources';
import { MeterProvider, MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { isExported } from './settings.ts';

/**
 * A flush hands over all batches that wait at once, and the exporter drops what goes beyond its limit of 30. The
 * processor's queue is the bound.
 */
const concurrencyLimit = Number.MAX_SAFE_INTEGER;

/** The SDK's providers, set up by the environment. */
export interface Providers {
  readonly tracerProvider: BasicTracerProvider;
  readonly meterProvider: MeterProvider;
  /** False if nothing leaves the process, so that a flush has nothing to do. */
  readonly isExporting: boolean;
  /** Resolves when all that has ended was sent, or could not be sent. Never rejects. */
  flush(): Promise<void>;
  shutdown(): Promise<void>;
}

export function createProviders(): Providers {
  const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  const spanExporter = isExported('TRACES') ? tellingOnce(new OTLPTraceExporter({ concurrencyLimit })) : undefined;
  const metricExporter = isExported('METRICS') ? tellingOnce(new OTLPMetricExporter()) : undefined;
  const spanProcessors = spanExporter ? [new BatchSpanProcessor(spanExporter)] : [];
  const tracerProvider = new BasicTracerProvider({ resource, spanProcessors });
  const meterProvider = createMeterProvider(resource, metricExporter);
  return {
    tracerProvider,
    meterProvider,
    isExporting: spanExporter !== undefined || metricExporter !== undefined,
    async flush() {
      await Promise.allSettled([tracerProvider.forceFlush(), meterProvider.forceFlush()]);
      // The processor doesn't wait for the batch that its timer has sent.
      await spanExporter?.forceFlush();
    },
    async shutdown() {
      await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    },
  };
}

function createMeterProvider(resource: Resource, exporter: OTLPMetricExporter | undefined): MeterProvider {
  if (exporter === undefined) return new MeterProvider({ resource, readers: [new IdleReader()] });
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL');
  const exportTimeoutMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT');
  const reader = new PeriodicExportingMetricReader({
    exporter,
    ...(exportIntervalMillis && { exportIntervalMillis }),
    ...(exportTimeoutMillis && { exportTimeoutMillis }),
  });
  return new MeterProvider({ resource, readers: [reader] });
}

/** Reads nothing. Without any reader, the SDK would not even aggregate what is measured. */
class IdleReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

type Exporter<T> = { export(items: T, done: (result: ExportResult) => void): void };

/**
 * Tells `diag` when an exporter begins to fail, and not again before it has recovered. The SDK, which would tell it of
 * every batch, isn't told at all: what could not be sent is lost either way.
 */
function tellingOnce<T, E extends Exporter<T>>(exporter: E & Exporter<T>): E {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (items, done) =>
    send(items, ({ code, error }) => {
      const hasFailed = code !== ExportResultCode.SUCCESS;
      if (hasFailed && !isFailing) diag.error(`${exporter.constructor.name} cannot export: ${error?.message}`);
      isFailing = hasFailed;
      done({ code: ExportResultCode.SUCCESS });
    });
  return exporter;
}
