import {
  type Context,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type TextMapPropagator,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { contexts } from './contexts.ts';
import { Instrument } from './instrument.ts';

const noSpan = traceApi.wrapSpanContext(INVALID_SPAN_CONTEXT);
const serverSpan = { kind: SpanKind.SERVER };
const headersGetter: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Starts spans. Which of them are sampled, and how they end up elsewhere, is the SDK's business. */
export class TracesInstrument extends Instrument {
  constructor(
    private readonly tracer: Tracer,
    private readonly propagator: TextMapPropagator,
  ) {
    super(true);
  }

  /**
   * Calls `fn` in an INTERNAL span, and returns what it returns. The parent is the current span, if there is one. The span
   * ends when `fn` returns, or its promise is settled. Records what `fn` throws, and throws it again. If tracing is inactive
   * or the request is not sampled, `fn` gets a span that does not record.
   */
  readonly trace = <T>(name: string, fn: (span: Span) => T): T => {
    if (!this.active) return fn(noSpan);
    const parent = contexts.active();
    const span = this.tracer.startSpan(name, undefined, parent);
    try {
      // The manager is called without the API between them, which looks it up in each call.
      const result = contexts.with(traceApi.setSpan(parent, span), fn, undefined, span);
      if (isThenable(result)) return endWhenSettled(span, result) as T;
      span.end();
      return result;
    } catch (error) {
      return endFailed(span, error);
    }
  };

  /** The context in which a request arrives: that of its caller, or of the span that passes it to the app. */
  contextOf(request: Request): Context {
    const current = contexts.active();
    const span = traceApi.getSpan(current) as Partial<ReadableSpan> | undefined;
    // A server keeps the context in which it was started, and requests are no children of its start.
    const outer = span?.ended ? traceApi.deleteSpan(current) : current;
    return this.propagator.extract(outer, request.headers, headersGetter);
  }

  /** Starts a SERVER span. */
  startServerSpan(name: string, context: Context): Span {
    return this.tracer.startSpan(name, serverSpan, context);
  }
}

/** Records that the work of a span has failed. */
export function fail(span: Span, error: unknown): void {
  const exception = error instanceof Error ? error : String(error);
  span.recordException(exception);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
}

function endWhenSettled<T>(span: Span, promise: PromiseLike<T>): PromiseLike<T> {
  return promise.then(
    (value) => {
      span.end();
      return value;
    },
    (error) => endFailed(span, error),
  );
}

function endFailed(span: Span, error: unknown): never {
  fail(span, error);
  span.end();
  throw error;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}
