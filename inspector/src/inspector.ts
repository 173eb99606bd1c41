import packageJson from '../package.json';
import { createPropagator, register } from './api.ts';
import { BodiesInstrument, type BodiesOptions } from './bodies.ts';
import { type HonoApp, instrument } from './hono.ts';
import { MetricsInstrument } from './metrics.ts';
import { Providers } from './providers.ts';
import { flushBeforeSignalEnds } from './signals.ts';
import { TracesInstrument } from './traces.ts';

export interface InspectorOptions {
  /** Records bodies and headers. Default: they are not recorded. */
  bodies?: BodiesOptions;
}

/** OpenTelemetry's traces and metrics for Hono apps. Both are active from the start. */
export class Inspector {
  /** Each can be switched on and off at any time, also while requests are being answered. */
  readonly instruments;
  private readonly providers = new Providers();
  private readonly instrumented = new WeakSet<HonoApp>();
  private stopped: Promise<void> | undefined;

  /**
   * Sets up OpenTelemetry's SDK as the environment says, and registers it with `@opentelemetry/api`.
   *
   * @throws if an option is wrong, with the reason
   */
  constructor(private readonly options: InspectorOptions = {}) {
    for (const option in options) if (option !== 'bodies') throw new Error(`Inspector has no option ${option}`);
    const { name, version } = packageJson;
    const { tracerProvider, meterProvider } = this.providers;
    const propagator = createPropagator();
    const traces = new TracesInstrument(tracerProvider.getTracer(name, version), propagator);
    const metrics = new MetricsInstrument(meterProvider.getMeter(name, version));
    this.instruments = { traces, metrics, bodies: new BodiesInstrument(options.bodies) };
    if (!this.active) return; // OTEL_SDK_DISABLED is true.
    register(this.providers, propagator);
    // What is still streamed then is cut off by the signal.
    flushBeforeSignalEnds(() => this.flush(0));
  }

  /** True if requests leave a span or a metric. */
  get active(): boolean {
    return this.instruments.traces.active || this.instruments.metrics.active;
  }

  /** Activates all instruments, but bodies only if the option `bodies` was given. */
  activate(): void {
    this.instruments.traces.activate();
    this.instruments.metrics.activate();
    if (this.options.bodies) this.instruments.bodies.activate();
  }

  /** Deactivates all instruments. Requests that begin after this call leave no span and no metric. */
  deactivate(): void {
    for (const each of Object.values(this.instruments)) each.deactivate();
  }

  /** Observes requests to `app` until the Response is returned. Changes the app in place, once, and returns it. */
  instrument<A extends HonoApp>(app: A): A {
    if (!this.instrumented.has(app)) instrument(app, this.instruments);
    this.instrumented.add(app);
    return app;
  }

  /** Resolves when what has ended was sent, or was lost because the receiver failed. Waits for bodies that are streamed. */
  async flush(patienceMs = 5_000): Promise<void> {
    await this.instruments.bodies.flush(patienceMs);
    await this.providers.flush();
  }

  /** Flushes, then closes the exporters. Spans that end later are lost. A second call does no more. */
  shutdown(): Promise<void> {
    this.stopped ??= this.flush().then(() => this.providers.shutdown());
    return this.stopped;
  }
}
