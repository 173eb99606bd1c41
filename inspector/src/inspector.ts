import { context, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Env, Hono } from 'hono';
import packageJson from '../package.json';
import { ScopeContextManager } from './context.ts';
import { DurationHistogram } from './duration-histogram.ts';
import { HonoInstrumentation } from './hono.ts';
import { MetricsInstrument } from './metrics.ts';
import { createMeterProvider, createSpanProcessor, hasOtlpEndpoint, type SdkOptions } from './sdk.ts';
import { onShutdownSignal } from './shutdown-signals.ts';
import { registerTelemetryCounts } from './telemetry-counts.ts';
import { TracesInstrument } from './traces.ts';

export interface InspectorOptions extends SdkOptions {
  /** Name of a response header that tells the trace id, such as `x-trace-id`; by default none. */
  traceIdHeader?: string;
}

/** Tracing and metrics of Hono apps, both active from the start. */
export class Inspector {
  /** What is recorded; each can be switched on and off at any time, also while requests are being answered. */
  readonly instruments: { readonly traces: TracesInstrument; readonly metrics: MetricsInstrument };
  private readonly hono: HonoInstrumentation;
  private readonly pipelines: { forceFlush(): Promise<void>; shutdown(): Promise<void> }[];
  private readonly ignoreSignals: () => void;
  private readonly unregisterCounts: () => void;
  private stopped: Promise<void> | undefined;

  /**
   * With `OTEL_EXPORTER_OTLP_ENDPOINT` set, spans and metrics go there by OTLP/HTTP, and SIGTERM and SIGINT wait until
   * they have gone.
   */
  constructor(options: InspectorOptions = {}) {
    const scope = { name: packageJson.name, version: packageJson.version };
    const spanProcessor = createSpanProcessor(options);
    const durations = new DurationHistogram(scope);
    const meterProvider = createMeterProvider(options, durations);
    this.pipelines = meterProvider ? [spanProcessor, meterProvider] : [spanProcessor];
    const traces = new TracesInstrument(spanProcessor, scope);
    this.instruments = { traces, metrics: new MetricsInstrument(durations) };
    this.unregisterCounts = registerTelemetryCounts(this);
    this.hono = new HonoInstrumentation(traces, this.instruments.metrics, options.traceIdHeader);
    const isRemote = hasOtlpEndpoint('TRACES') || hasOtlpEndpoint('METRICS');
    this.ignoreSignals = isRemote ? onShutdownSignal(() => this.shutdown()) : () => {};
  }

  /** True while any instrument is active. */
  get active(): boolean {
    return this.instruments.traces.active || this.instruments.metrics.active;
  }

  /** Activates all instruments. */
  activate(): void {
    for (const instrument of Object.values(this.instruments)) instrument.activate();
  }

  /** Deactivates all instruments: requests that begin from here on leave no span and no metric. */
  deactivate(): void {
    for (const instrument of Object.values(this.instruments)) instrument.deactivate();
  }

  /**
   * Observes all requests to `app`, from their arrival until the Response is returned; what is streamed after that isn't
   * part of the duration. Changes the app in place and returns it.
   */
  instrument<E extends Env, A extends Hono<E>>(app: A): A {
    return this.hono.instrument<E, A>(app);
  }

  /**
   * Makes the inspector the tracer provider, context manager and W3C propagator of `@opentelemetry/api`, so that spans
   * of other libraries join its traces. Returns false, and changes nothing, where others are registered already.
   */
  register(): boolean {
    if (!context.setGlobalContextManager(new ScopeContextManager())) return false;
    if (!trace.setGlobalTracerProvider(this.instruments.traces)) {
      context.disable();
      return false;
    }
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    return true;
  }

  /** Resolves when all that ended so far was exported, or was dropped because the exporter failed. */
  async flush(): Promise<void> {
    await Promise.all(this.pipelines.map((pipeline) => pipeline.forceFlush()));
  }

  /** Flushes, then closes the exporters. Spans that end later are dropped and counted. */
  shutdown(): Promise<void> {
    this.stopped ??= this.stop();
    return this.stopped;
  }

  private async stop(): Promise<void> {
    this.ignoreSignals();
    this.unregisterCounts();
    await Promise.all(this.pipelines.map((pipeline) => pipeline.shutdown()));
  }
}
