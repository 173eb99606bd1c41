import { BodiesInstrument, type BodiesOptions } from './bodies.ts';
import { type HonoApp, instrument } from './hono.ts';
import { Instrument } from './instrument.ts';
import { createSdk } from './sdk.ts';
import { shutDownBeforeSignalEnds } from './signals.ts';
import { TracesInstrument } from './traces.ts';

export type { TransformRule } from './transforms.ts';

export interface InspectorOptions {
  /** Records bodies and headers. Default: they are not recorded. */
  bodies?: BodiesOptions;
}

const observers = new WeakMap<HonoApp, Inspector>();

/**
 * OpenTelemetry's traces and metrics for Hono apps. Both are active from the start, unless
 * `OTEL_SDK_DISABLED` is true.
 */
export class Inspector {
  /** Each can be switched on and off at any time, also while requests are being answered. */
  readonly instruments;
  private readonly sdk = createSdk();
  private stopped: Promise<void> | undefined;

  /** @throws if an option is wrong, with the reason */
  constructor(private readonly options: InspectorOptions = {}) {
    for (const option in options)
      if (option !== 'bodies') throw new Error(`Inspector has no option ${option}`);
    const { isDisabled, tracer, propagator } = this.sdk;
    this.instruments = {
      traces: new TracesInstrument(isDisabled, tracer, propagator),
      metrics: new Instrument(isDisabled),
      bodies: new BodiesInstrument(isDisabled, options.bodies),
    };
    shutDownBeforeSignalEnds(() => this.shutdown());
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

  /**
   * Deactivates all instruments. Requests that begin after this call leave no span and no metric.
   */
  deactivate(): void {
    for (const each of Object.values(this.instruments)) each.deactivate();
  }

  /**
   * Observes requests to `app` until the Response is returned. Changes the app in place, once, and
   * returns it.
   * @throws if another inspector observes it
   */
  instrument<A extends HonoApp>(app: A): A {
    const other = observers.get(app);
    if (other && other !== this) throw new Error('Another inspector observes this app');
    if (!other) instrument(app, this.instruments, this.sdk.durations);
    observers.set(app, this);
    return app;
  }

  /**
   * Resolves when what has ended was sent, or was lost because the receiver failed. Of bodies it
   * takes what has come.
   */
  async flush(): Promise<void> {
    await this.instruments.bodies.flush();
    await this.sdk.flush();
  }

  /**
   * Flushes for some 5 s at most, and closes the exporters. Spans that end later are lost. A second
   * call does no more.
   */
  shutdown(): Promise<void> {
    this.stopped ??= this.instruments.bodies.flush().then(() => this.sdk.shutdown());
    return this.stopped;
  }
}
