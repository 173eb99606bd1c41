import {
  type Context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace as traceApi,
} from '@opentelemetry/api';
import { isTracingSuppressed } from '@opentelemetry/core';
import { monotonicMs } from './clock.ts';
import { activeContext, currentScope, runInScope, type Scope } from './context.ts';
import { ServerSpan } from './http.ts';
import { hex, randomBits } from './ids.ts';
import { remoteParent } from './propagation.ts';
import type { InstrumentationScope, ReadableSpan } from './sdk.ts';
import { RecordingSpan, type SpanOrigin } from './span.ts';
import type { BoundedSpanProcessor } from './span-processor.ts';

const noSpan = traceApi.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Spans that recorded; `started = exported + dropped +` those that are open or wait for export. */
export interface SpanCounts {
  readonly started: number;
  readonly exported: number;
  readonly dropped: number;
}

/**
 * Makes spans, and hands them on when they end. Sampling is parent-based, as the SDK's default is: what a remote
 * caller doesn't sample isn't recorded, everything else is.
 */
export class TracesInstrument implements TracerProvider {
  private isActive = true;
  private started = 0;
  private readonly own: InspectorTracer;

  constructor(
    private readonly processor: BoundedSpanProcessor,
    scope: InstrumentationScope,
  ) {
    this.own = new InspectorTracer(this, processor, scope);
  }

  get active(): boolean {
    return this.isActive;
  }

  get counts(): SpanCounts {
    return { started: this.started, exported: this.processor.exported, dropped: this.processor.dropped };
  }

  activate(): void {
    this.isActive = true;
  }

  /** From here on no span is started. Those that are open end as usual. */
  deactivate(): void {
    this.isActive = false;
  }

  /**
   * Calls `fn` in an INTERNAL span below the current one, or in a root span where none is. The span ends when `fn`
   * returns, or when the promise it returns is settled. Returns what `fn` returns; what it throws is recorded and thrown on.
   * While tracing is inactive, or the request isn't sampled, `fn` is called with a span that doesn't record.
   */
  readonly trace = <T>(name: string, fn: (span: Span) => T): T => {
    if (!this.isActive) return fn(noSpan);
    const scope = currentScope();
    if (scope instanceof RecordingSpan) return runInSpan(this.own.start(name, SpanKind.INTERNAL, scope), fn);
    const span = this.own.startSpan(name);
    if (span instanceof RecordingSpan) return runInSpan(span, fn);
    return fn(span);
  };

  /** The scope of a request: its SERVER span, or a context that keeps an unsampled trace's ids. */
  startServerScope(request: Request, startMs: number): ServerSpan | Scope {
    const outer = currentScope()?.context; // a handler may pass requests to the app
    const parent = remoteParent(request.headers) ?? (outer && parentIn(outer));
    if (isUnsampled(parent)) return unsampledScope(outer, parent);
    this.started++;
    return new ServerSpan(this.own, parent, outer, startMs, request.method, request.url);
  }

  /** A tracer whose spans join the inspector's: same parents, same switch, same exporter. */
  getTracer(name: string, version?: string, options?: { schemaUrl?: string }): Tracer {
    const scope = { name, ...(version && { version }), ...options };
    return new InspectorTracer(this, this.processor, scope);
  }

  countStarted(): void {
    this.started++;
  }
}

class InspectorTracer implements Tracer, SpanOrigin {
  constructor(
    private readonly traces: TracesInstrument,
    private readonly processor: BoundedSpanProcessor,
    readonly instrumentationScope: InstrumentationScope,
  ) {}

  start(name: string, kind: SpanKind, parent: RecordingSpan): RecordingSpan {
    this.traces.countStarted();
    return new RecordingSpan(this, name, kind, parent, undefined, monotonicMs());
  }

  onEnd(span: ReadableSpan): void {
    this.processor.onEnd(span);
  }

  startSpan(name: string, options: SpanOptions = {}, context: Context = activeContext()): Span {
    if (!this.traces.active || isTracingSuppressed(context)) return noSpan;
    const base = options.root ? traceApi.deleteSpan(context) : context;
    const parent = parentIn(base);
    if (isUnsampled(parent)) return unsampledChild(parent);
    this.traces.countStarted();
    const kind = options.kind ?? SpanKind.INTERNAL;
    const span = new RecordingSpan(this, name, kind, parent, base, monotonicMs());
    if (options.startTime !== undefined) span.setStartTime(options.startTime);
    if (options.attributes !== undefined) span.setAttributes(options.attributes);
    if (options.links !== undefined) span.addLinks(options.links);
    return span;
  }

  startActiveSpan<F extends (span: Span) => unknown>(name: string, ...rest: unknown[]): ReturnType<F> {
    const fn = rest.pop() as F;
    const [options, given] = rest as [SpanOptions?, Context?];
    const context = given ?? activeContext();
    const span = this.startSpan(name, options, context);
    const scope = span instanceof RecordingSpan ? span : { context: traceApi.setSpan(context, span) };
    return runInScope(scope, fn, span) as ReturnType<F>;
  }
}

function runInSpan<T>(span: RecordingSpan, fn: (span: Span) => T): T {
  let result: T;
  try {
    result = runInScope<Span, T>(span, fn, span);
  } catch (error) {
    span.fail(error);
    span.end();
    throw error;
  }
  if (isThenable(result)) return endWhenSettled(span, result) as T;
  span.end();
  return result;
}

function endWhenSettled<T>(span: RecordingSpan, promise: PromiseLike<T>): PromiseLike<T> {
  return promise.then(
    (value) => {
      span.end();
      return value;
    },
    (error) => {
      span.fail(error);
      span.end();
      throw error;
    },
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  );
}

function isUnsampled(parent: RecordingSpan | SpanContext | undefined): parent is SpanContext {
  if (parent === undefined || parent instanceof RecordingSpan) return false;
  return (parent.traceFlags & TraceFlags.SAMPLED) === 0;
}

function parentIn(context: Context): RecordingSpan | SpanContext | undefined {
  const span = traceApi.getSpan(context);
  if (span instanceof RecordingSpan) return span;
  const spanContext = span?.spanContext();
  return spanContext !== undefined && traceApi.isSpanContextValid(spanContext) ? spanContext : undefined;
}

function unsampledScope(outer: Context = ROOT_CONTEXT, parent: SpanContext): Scope {
  return { context: traceApi.setSpan(outer, unsampledChild(parent)) };
}

/** Carries the trace on, with an id of its own, and records nothing. */
function unsampledChild(parent: SpanContext): Span {
  const { traceId, traceState } = parent;
  const spanId = hex(randomBits()) + hex(randomBits() || 1);
  return traceApi.wrapSpanContext({
    traceId,
    spanId,
    traceFlags: TraceFlags.NONE,
    ...(traceState && { traceState }),
  });
}
