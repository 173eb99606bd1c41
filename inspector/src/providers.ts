import { diag } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode, getNumberFromEnv } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, MetricReader, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { listFromEnv } from './api.ts';

/** A flush hands over all batches at once, and an exporter drops those beyond its limit. The queue is the bound. */
const concurrencyLimit = Number.MAX_SAFE_INTEGER;

/** The SDK's providers, as the environment wants them. */
export class Providers {
  private readonly spanExporter = isExported('TRACES') && tellingOnce(new OTLPTraceExporter({ concurrencyLimit }));
  private readonly resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  readonly meterProvider = new MeterProvider({ resource: this.resource, readers: [createMetricReader()] });
  readonly tracerProvider = new BasicTracerProvider({
    resource: this.resource,
    spanProcessors: this.spanExporter ? [new BatchSpanProcessor(this.spanExporter)] : [],
  });

  /** Resolves when all that has ended was sent, or could not be sent. */
  async flush(): Promise<void> {
    await Promise.allSettled([this.tracerProvider.forceFlush(), this.meterProvider.forceFlush()]);
    // The processor doesn't wait for the batch that its timer has sent.
    if (this.spanExporter) await this.spanExporter.forceFlush();
  }

  async shutdown(): Promise<void> {
    await Promise.allSettled([this.tracerProvider.shutdown(), this.meterProvider.shutdown()]);
  }
}

function isExported(signal: 'TRACES' | 'METRICS'): boolean {
  return listFromEnv(`OTEL_${signal}_EXPORTER`, ['otlp', 'none'], ['otlp']).includes('otlp');
}

function createMetricReader(): MetricReader {
  if (!isExported('METRICS')) return new IdleReader();
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000;
  return new PeriodicExportingMetricReader({ exporter: tellingOnce(new OTLPMetricExporter()), exportIntervalMillis });
}

/** Reads nothing. Without any reader, the SDK would not even aggregate what is measured. */
class IdleReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/**
 * Tells `diag` when an exporter begins to fail, and not again before it has recovered. The SDK hears of no failure: it would
 * tell of every batch, and send ever more of them at the same time.
 */
function tellingOnce<E extends { export(items: never, done: (result: ExportResult) => void): void }>(exporter: E): E {
  const send = exporter.export.bind(exporter);
  let hasFailed = false;
  exporter.export = (items, done) =>
    send(items, ({ code, error }) => {
      if (error && !hasFailed) diag.error(`${exporter.constructor.name} cannot export: ${error.message}`);
      hasFailed = code === ExportResultCode.FAILED;
      done({ code: ExportResultCode.SUCCESS });
    });
  return exporter;
}
