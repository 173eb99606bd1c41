import {
  type Context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type TextMapGetter,
  TraceFlags,
  type Tracer,
  type TracerProvider,
  trace as traceApi,
} from '@opentelemetry/api';
import type { InstrumentationScope } from '@opentelemetry/core';
import { activeContext, type Scope, scopes } from './context.ts';
import { isTracingSuppressed, W3CTraceContextPropagator } from './core.ts';
import { hex, randomBits } from './ids.ts';
import { Instrument } from './instrument.ts';
import { ServerSpan } from './server-span.ts';
import { type Parent, RecordingSpan, type SpanOrigin } from './span.ts';
import type { SpanCounts, SpanProcessor } from './span-processor.ts';

const noSpan = traceApi.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Reads and writes the caller's span as headers of W3C Trace Context. */
export const propagator = new W3CTraceContextPropagator();
const getter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Starts spans. Sampling is parent-based: all is recorded but requests that a remote caller does not sample. */
export class TracesInstrument extends Instrument implements TracerProvider {
  private readonly own: InspectorTracer;

  constructor(
    private readonly processor: SpanProcessor,
    scope: InstrumentationScope,
  ) {
    super(true);
    this.own = new InspectorTracer(this, processor, scope);
  }

  get counts(): SpanCounts {
    return this.processor.counts;
  }

  /**
   * Calls `fn` in an INTERNAL span, and returns what it returns. The parent is the current span, if there is one. The span
   * ends when `fn` returns, or its promise is settled. Records what `fn` throws, and throws it again. If tracing is inactive
   * or the request is not sampled, `fn` gets a span that does not record.
   */
  readonly trace = <T>(name: string, fn: (span: Span) => T): T => {
    if (!this.active) return fn(noSpan);
    const scope = scopes.getStore();
    if (scope instanceof RecordingSpan) {
      return runInSpan(new RecordingSpan(this.own, name, SpanKind.INTERNAL, scope), fn);
    }
    const span = this.own.startSpan(name);
    return span instanceof RecordingSpan ? runInSpan(span, fn) : fn(span);
  };

  /** Returns the SERVER span of a request. If the request is not sampled, returns a context that keeps the trace id. */
  startServerScope(request: Request, startMs: number): ServerSpan | Scope {
    const outer = scopes.getStore()?.context ?? ROOT_CONTEXT;
    const context = propagator.extract(outer, request.headers, getter);
    const found = parentIn(context); // also if a handler passes this request to the app, or if a span started the server
    const parent = found instanceof RecordingSpan && found.ended ? undefined : found;
    if (isUnsampled(parent)) return { context: traceApi.setSpan(context, unsampledChild(parent)) };
    return new ServerSpan(this.own, parent, context, startMs, request.method, request.url);
  }

  /** Returns a tracer whose spans have the same parents, the same switch and the same exporter as `trace()`. */
  getTracer(name: string, version?: string, options?: { schemaUrl?: string }): Tracer {
    const scope = { name, ...(version && { version }), ...options };
    return new InspectorTracer(this, this.processor, scope);
  }
}

class InspectorTracer implements Tracer, SpanOrigin {
  constructor(
    private readonly traces: TracesInstrument,
    readonly processor: SpanProcessor,
    readonly instrumentationScope: InstrumentationScope,
  ) {}

  startSpan(name: string, options: SpanOptions = {}, context: Context = activeContext()): Span {
    if (!this.traces.active || isTracingSuppressed(context)) return noSpan;
    const base = options.root ? traceApi.deleteSpan(context) : context;
    const parent = parentIn(base);
    if (isUnsampled(parent)) return unsampledChild(parent);
    const { kind = SpanKind.INTERNAL, startTime, attributes = {}, links = [] } = options;
    return new RecordingSpan(this, name, kind, parent, base, startTime).setAttributes(attributes).addLinks(links);
  }

  startActiveSpan<F extends (span: Span) => unknown>(name: string, ...rest: unknown[]): ReturnType<F> {
    const fn = rest.pop() as F;
    const [options, given] = rest as [SpanOptions?, Context?];
    const context = given ?? activeContext();
    const span = this.startSpan(name, options, context);
    const scope = span instanceof RecordingSpan ? span : { context: traceApi.setSpan(context, span) };
    return scopes.run(scope, fn, span) as ReturnType<F>;
  }
}

function runInSpan<T>(span: RecordingSpan, fn: (span: Span) => T): T {
  try {
    const result = scopes.run(span, fn, span);
    if (isThenable(result)) return endWhenSettled(span, result) as T;
    span.end();
    return result;
  } catch (error) {
    return endFailed(span, error);
  }
}

function endWhenSettled<T>(span: RecordingSpan, promise: PromiseLike<T>): PromiseLike<T> {
  return promise.then(
    (value) => {
      span.end();
      return value;
    },
    (error) => endFailed(span, error),
  );
}

function endFailed(span: RecordingSpan, error: unknown): never {
  span.fail(error);
  span.end();
  throw error;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

function parentIn(context: Context): Parent | undefined {
  const span = traceApi.getSpan(context);
  if (span instanceof RecordingSpan) return span;
  const spanContext = span?.spanContext();
  return spanContext !== undefined && traceApi.isSpanContextValid(spanContext) ? spanContext : undefined;
}

function isUnsampled(parent: Parent | undefined): parent is SpanContext {
  if (parent === undefined || parent instanceof RecordingSpan) return false;
  return (parent.traceFlags & TraceFlags.SAMPLED) === 0;
}

/** Returns a span that records nothing. It keeps the trace id and has its own span id. */
function unsampledChild(parent: SpanContext): Span {
  const spanId = hex(randomBits()) + hex(randomBits() || 1);
  return traceApi.wrapSpanContext({ ...parent, spanId, isRemote: false });
}
