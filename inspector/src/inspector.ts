import { context, diag, propagation, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Env, Hono } from 'hono';
import packageJson from '../package.json';
import { BodiesInstrument, type BodiesOptions } from './bodies.ts';
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
  /** Records bodies and headers too, which by default aren't. */
  bodies?: BodiesOptions;
}

/** Spans with bodies are large: a batch of these is serialized about as fast as one of 512 without. */
const batchSizeWithBodies = 64;

/** Tracing and metrics of Hono apps, both active from the start, and bodies where they are asked for. */
export class Inspector {
  /** What is recorded; each can be switched on and off at any time, also while requests are being answered. */
  readonly instruments: {
    readonly traces: TracesInstrument;
    readonly metrics: MetricsInstrument;
    readonly bodies: BodiesInstrument;
  };
  private readonly recordsBodies: boolean;
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
    const bodies = new BodiesInstrument(options.bodies);
    this.recordsBodies = bodies.active;
    const spanProcessor = createSpanProcessor(options, bodies.active ? batchSizeWithBodies : undefined);
    const durations = new DurationHistogram(scope);
    const meterProvider = createMeterProvider(options, durations);
    this.pipelines = meterProvider ? [spanProcessor, meterProvider] : [spanProcessor];
    const traces = new TracesInstrument(spanProcessor, scope);
    this.instruments = { traces, metrics: new MetricsInstrument(durations), bodies };
    this.unregisterCounts = registerTelemetryCounts(this);
    this.hono = new HonoInstrumentation(traces, this.instruments.metrics, bodies, options.traceIdHeader);
    const isRemote = hasOtlpEndpoint('TRACES') || hasOtlpEndpoint('METRICS');
    this.ignoreSignals = isRemote ? onShutdownSignal(() => this.shutdown()) : () => {};
  }

  /** True while requests leave a span or a metric; bodies are recorded on spans. */
  get active(): boolean {
    return this.instruments.traces.active || this.instruments.metrics.active;
  }

  /** Activates all instruments; bodies only where the inspector was made with the option. */
  activate(): void {
    const { traces, metrics, bodies } = this.instruments;
    traces.activate();
    metrics.activate();
    if (this.recordsBodies) bodies.activate();
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
    const { bodies } = this.instruments;
    if (bodies.isWaiting) await bodies.flush();
    // Not Promise.all: after a single call of that, each request of a server on Bun was 1 % dearer.
    for (const pipeline of this.pipelines) await pipeline.forceFlush();
  }

  /** Flushes, then closes the exporters. Spans that end later are dropped and counted. */
  shutdown(): Promise<void> {
    this.stopped ??= this.stop();
    return this.stopped;
  }

  private async stop(): Promise<void> {
    this.ignoreSignals();
    this.unregisterCounts();
    const { bodies } = this.instruments;
    if (bodies.isWaiting) await bodies.flush();
    if (bodies.warning !== undefined) diag.warn(bodies.warning);
    await Promise.all(this.pipelines.map((pipeline) => pipeline.shutdown()));
  }
}
