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
  private readonly spanExporter = isExported('TRACES') ? new OTLPTraceExporter({ concurrencyLimit }) : undefined;
  private readonly metricExporter = isExported('METRICS') ? new OTLPMetricExporter() : undefined;
  private readonly resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  readonly tracerProvider = new BasicTracerProvider({
    resource: this.resource,
    spanProcessors: this.spanExporter ? [new BatchSpanProcessor(tellingOnce(this.spanExporter))] : [],
  });
  readonly meterProvider = new MeterProvider({
    resource: this.resource,
    readers: [this.metricExporter ? periodicReader(tellingOnce(this.metricExporter)) : new IdleReader()],
  });
  /** False if nothing leaves the process, so that there is nothing to flush. */
  readonly isExporting = this.spanExporter !== undefined || this.metricExporter !== undefined;

  /** Resolves when all that has ended was sent, or could not be sent. */
  async flush(): Promise<void> {
    await Promise.allSettled([this.tracerProvider.forceFlush(), this.meterProvider.forceFlush()]);
    // The processor doesn't wait for the batch that its timer has sent.
    await this.spanExporter?.forceFlush();
  }

  async shutdown(): Promise<void> {
    await Promise.allSettled([this.tracerProvider.shutdown(), this.meterProvider.shutdown()]);
  }
}

function isExported(signal: 'TRACES' | 'METRICS'): boolean {
  return listFromEnv(`OTEL_${signal}_EXPORTER`, ['otlp', 'none'], ['otlp']).includes('otlp');
}

function periodicReader(exporter: OTLPMetricExporter): MetricReader {
  const exportIntervalMillis = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL');
  return new PeriodicExportingMetricReader({ exporter, ...(exportIntervalMillis && { exportIntervalMillis }) });
}

/** Reads nothing. Without any reader, the SDK would not even aggregate what is measured. */
class IdleReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/**
 * Tells `diag` when an exporter begins to fail, and not again before it has recovered. The SDK hears of no failure: it would
 * tell of every batch, and send more of them at the same time.
 */
function tellingOnce<E extends { export(items: never, done: (result: ExportResult) => void): void }>(exporter: E): E {
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
