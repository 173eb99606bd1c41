import packageJson from '../package.json';
import { type HonoApp, HonoInstrumentation } from './hono.ts';
import { MetricsInstrument } from './metrics.ts';
import { createProviders, type Providers } from './providers.ts';
import { register } from './register.ts';
import { createPropagator, isDisabled } from './settings.ts';
import { flushBeforeSignalEnds } from './signals.ts';
import { TracesInstrument } from './traces.ts';

export type InspectorOptions = {};

/** OpenTelemetry's traces and metrics for Hono apps. Both are active from the start. */
export class Inspector {
  /** Each can be switched on and off at any time, also while requests are being answered. */
  readonly instruments;
  private readonly hono;
  private readonly providers: Providers;
  private readonly forgetSignals: () => void = () => {};
  private stopped: Promise<void> | undefined;

  /** Sets up OpenTelemetry's SDK as the environment says, and registers it with `@opentelemetry/api`. */
  constructor(options: InspectorOptions = {}) {
    const { name, version } = packageJson;
    const propagator = createPropagator();
    this.providers = createProviders();
    const { tracerProvider, meterProvider, isExporting } = this.providers;
    const traces = new TracesInstrument(tracerProvider.getTracer(name, version), propagator);
    const metrics = new MetricsInstrument(meterProvider.getMeter(name, version));
    this.instruments = { traces, metrics };
    this.hono = new HonoInstrumentation(traces, metrics);
    if (isDisabled()) return;
    register(this.providers, propagator);
    if (isExporting) this.forgetSignals = flushBeforeSignalEnds(() => this.flush());
  }

  /** True if requests leave a span or a metric. */
  get active(): boolean {
    return this.instruments.traces.active || this.instruments.metrics.active;
  }

  activate(): void {
    for (const instrument of Object.values(this.instruments)) instrument.activate();
  }

  /** Deactivates all instruments. Requests that begin after this call leave no span and no metric. */
  deactivate(): void {
    for (const instrument of Object.values(this.instruments)) instrument.deactivate();
  }

  /** Observes requests to `app` until the Response is returned. Changes the app in place, once, and returns it. */
  instrument<A extends HonoApp>(app: A): A {
    return this.hono.instrument(app);
  }

  /** Resolves when everything that ended so far was sent, or was lost because the receiver failed. */
  async flush(): Promise<void> {
    await this.providers.flush();
  }

  /** Flushes, then closes the exporters. Spans that end later are lost. A second call does no more. */
  shutdown(): Promise<void> {
    this.stopped ??= this.stop();
    return this.stopped;
  }

  private async stop(): Promise<void> {
    await this.flush();
    this.forgetSignals();
    await this.providers.shutdown();
  }
}
