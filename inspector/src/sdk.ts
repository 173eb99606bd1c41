import { channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as core from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { METRIC_HTTP_SERVER_REQUEST_DURATION } from '@opentelemetry/semantic-conventions';
import { name, version } from '../package.json';

/**
 * Knows which span is current. All inspectors of a process share it, since the API knows only one.
 */
export const contexts = new AsyncLocalStorageContextManager();

/**
 * A flush hands over all batches at once, and an exporter drops those beyond its limit. The queue
 * is the bound.
 */
const concurrencyLimit = Number.MAX_SAFE_INTEGER;

/** As the semantic conventions recommend, in seconds. */
const explicitBucketBoundaries = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];
const duration = {
  description: 'Duration of HTTP server requests.',
  unit: 's',
  advice: { explicitBucketBoundaries },
};

/**
 * Takes metrics that are not to be sent. Without any exporter, the SDK would not even aggregate
 * what is measured.
 */
const dropping = {
  export: (_: unknown, done: (result: core.ExportResult) => void) =>
    done({ code: core.ExportResultCode.SUCCESS }),
  ...{ forceFlush: async () => {}, shutdown: async () => {} },
};

/**
 * True if the last export failed, or a connection for it was refused: an exporter tries on for 8 s
 * before it fails.
 */
let isFailing = false;
let onRefused = () => {};
const requestErrors = channel('http.client.request.error');
const noteRefusal = (message: unknown) => {
  const { request, error } = message as { request: ClientRequest; error: NodeJS.ErrnoException };
  if (
    error.code !== 'ECONNREFUSED' ||
    !String(request.getHeader('user-agent')).startsWith('OTel-OTLP')
  )
    return;
  isFailing = true;
  onRefused();
};

/**
 * Sets up OpenTelemetry's SDK as the environment says. What was registered with the API before
 * stays: it tells `diag` so.
 */
export function createSdk() {
  requestErrors.subscribe(noteRefusal); // The channel is lost if nothing holds it.
  const isDisabled = core.getBooleanFromEnv('OTEL_SDK_DISABLED') === true;
  const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  const spanExporter = isExported('TRACES')
    ? tellingOnce(new OTLPTraceExporter({ concurrencyLimit }))
    : undefined;
  const spanProcessors = spanExporter ? [new BatchSpanProcessor(spanExporter)] : [];
  const traces = new BasicTracerProvider({ resource, spanProcessors });
  const exporter = isExported('METRICS') ? tellingOnce(new OTLPMetricExporter()) : dropping;
  const exportIntervalMillis = core.getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000;
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis });
  const metrics = new MeterProvider({ resource, readers: [reader] });
  const [tracecontext, baggage] = [
    new core.W3CTraceContextPropagator(),
    new core.W3CBaggagePropagator(),
  ];
  const known = { tracecontext, baggage, none: new core.CompositePropagator() };
  const propagators = choose<api.TextMapPropagator>('OTEL_PROPAGATORS', known, [
    'tracecontext',
    'baggage',
  ]);
  const propagator = new core.CompositePropagator({ propagators });
  api.propagation.setGlobalPropagator(propagator);
  if (!isDisabled) {
    api.context.setGlobalContextManager(contexts);
    api.trace.setGlobalTracerProvider(traces);
    api.metrics.setGlobalMeterProvider(metrics);
  }
  return {
    isDisabled,
    propagator,
    tracer: traces.getTracer(name, version),
    durations: metrics
      .getMeter(name, version)
      .createHistogram(METRIC_HTTP_SERVER_REQUEST_DURATION, duration),

    async flush(): Promise<void> {
      await Promise.allSettled([traces.forceFlush(), metrics.forceFlush()]);
      // The processor doesn't wait for the batch that its timer has sent.
      await spanExporter?.forceFlush();
    },

    /**
     * Flushes and closes, for 5 s at most. If a receiver is down, another one still has half a
     * second.
     */
    async shutdown(): Promise<void> {
      const { promise: isOver, resolve } = Promise.withResolvers<void>();
      onRefused = () => void setTimeout(resolve, isFailing ? 500 : 5_000).unref();
      onRefused();
      await Promise.race([isOver, Promise.allSettled([traces.shutdown(), metrics.shutdown()])]);
    },
  };
}

function isExported(signal: 'TRACES' | 'METRICS'): boolean {
  return choose(`OTEL_${signal}_EXPORTER`, { otlp: true, none: false }, ['otlp']).includes(true);
}

/** Returns what a list names: the SDK leaves these variables to whoever puts its parts together. */
function choose<T>(variable: string, known: Record<string, T>, byDefault: string[]): T[] {
  const given = core.getStringListFromEnv(variable) ?? byDefault;
  const unknown = given.filter((name) => !(name in known));
  const names = given.length > unknown.length ? given.filter((name) => name in known) : byDefault;
  if (unknown.length > 0)
    api.diag.warn(`${variable}: ${unknown} is not known here. In its place: ${names}`);
  return names.map((name) => known[name] as T);
}

/**
 * Tells `diag` when an exporter begins to fail, and not again before it has recovered. The SDK
 * hears of no failure: it would tell of every batch, and send ever more of them at the same time.
 */
function tellingOnce<
  E extends { export(items: never, done: (result: core.ExportResult) => void): void },
>(exporter: E): E {
  const send = exporter.export.bind(exporter);
  let hasFailed = false;
  exporter.export = (items, done) =>
    send(items, ({ code, error }) => {
      if (error && !hasFailed)
        api.diag.error(`${exporter.constructor.name} cannot export: ${error.message}`);
      hasFailed = isFailing = code === core.ExportResultCode.FAILED;
      done({ code: core.ExportResultCode.SUCCESS });
    });
  return exporter;
}
