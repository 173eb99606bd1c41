import { context, propagation, trace } from '@opentelemetry/api';
import packageJson from '../package.json';
import { BodiesInstrument, type BodiesOptions } from './bodies.ts';
import { scopeContextManager } from './context.ts';
import { type HonoApp, HonoInstrumentation } from './hono.ts';
import { MetricsInstrument } from './metrics.ts';
import { createMetricExport, createSpanProcessor, destinationOf, type ExportOptions } from './pipelines.ts';
import { onShutdownSignal } from './shutdown-signals.ts';
import { registerTelemetryCounts } from './telemetry-counts.ts';
import { propagator, TracesInstrument } from './traces.ts';

export interface InspectorOptions extends ExportOptions {
  /** Records bodies and headers. Default: they are not recorded. */
  bodies?: BodiesOptions;
}

/** Tracing and metrics for Hono apps. Both are active from the start. Bodies are recorded if the option is given. */
export class Inspector {
  /** Each can be switched on and off at any time, also while requests are being answered. */
  readonly instruments;
  private readonly recordsBodies;
  private readonly hono;
  private readonly pipelines;
  private readonly unregister;
  private stopped: Promise<void> | undefined;

  /**
   * If the environment names an OTLP endpoint, spans and metrics go there, unless `OTEL_TRACES_EXPORTER` or
   * `OTEL_METRICS_EXPORTER` says otherwise. SIGTERM and SIGINT then wait until they are sent.
   *
   * @throws if an option of `bodies` is wrong, with the reason
   */
  constructor(options: InspectorOptions = {}) {
    const { name, version } = packageJson;
    const bodies = new BodiesInstrument(options.bodies);
    this.recordsBodies = bodies.active;
    const destinations = [destinationOf('TRACES'), destinationOf('METRICS')] as const;
    const spanProcessor = createSpanProcessor(options, destinations[0], bodies.active);
    const traces = new TracesInstrument(spanProcessor, { name, version });
    const metrics = new MetricsInstrument({ name, version });
    const metricExport = createMetricExport(metrics.producer, destinations[1]);
    this.pipelines = metricExport ? [spanProcessor, metricExport] : [spanProcessor];
    this.instruments = { traces, metrics, bodies };
    this.hono = new HonoInstrumentation(traces, metrics, bodies);
    this.unregister = [registerTelemetryCounts(traces, metrics, () => this.flush())];
    if (destinations.includes('otlp')) this.unregister.push(onShutdownSignal(() => this.shutdown()));
  }

  /** True if requests leave a span or a metric. */
  get active(): boolean {
    return this.instruments.traces.active || this.instruments.metrics.active;
  }

  /** Activates all instruments, but bodies only if the option `bodies` was given. */
  activate(): void {
    const { traces, metrics, bodies } = this.instruments;
    traces.activate();
    metrics.activate();
    if (this.recordsBodies) bodies.activate();
  }

  /** Deactivates all instruments. Requests that begin after this call leave no span and no metric. */
  deactivate(): void {
    for (const instrument of Object.values(this.instruments)) instrument.deactivate();
  }

  /** Observes requests to `app` until the Response is returned. Changes the app in place, once, and returns it. */
  instrument<A extends HonoApp>(app: A): A {
    return this.hono.instrument(app);
  }

  /**
   * Makes the inspector the tracer provider, context manager and W3C propagator of `@opentelemetry/api`. Returns false
   * and changes nothing if another provider or context manager is registered. A registered propagator stays.
   */
  register(): boolean {
    if (!context.setGlobalContextManager(scopeContextManager)) return false;
    if (!trace.setGlobalTracerProvider(this.instruments.traces)) {
      context.disable();
      return false;
    }
    propagation.setGlobalPropagator(propagator);
    return true;
  }

  /** Resolves when everything that ended so far was exported, or was dropped because the exporter failed. */
  async flush(): Promise<void> {
    const { bodies } = this.instruments;
    if (bodies.isWaiting) await bodies.flush();
    // Not with Promise.all: after one call of it, each request of a server on Bun cost 1 % more.
    for (const pipeline of this.pipelines) await pipeline.forceFlush();
  }

  /** Flushes, then closes the exporters. Spans that end later are dropped and counted. A second call does no more. */
  shutdown(): Promise<void> {
    this.stopped ??= this.stop();
    return this.stopped;
  }

  private async stop(): Promise<void> {
    for (const unregister of this.unregister) unregister();
    const { bodies } = this.instruments;
    if (bodies.isWaiting) await bodies.flush();
    bodies.warnOfUnmatchedRules();
    await Promise.all(this.pipelines.map((pipeline) => pipeline.shutdown()));
  }
}
