import * as api from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { startAttributes, typeOf, verbOf } from './http.ts';
import { Instrument } from './instrument.ts';
import { contexts } from './sdk.ts';

const noSpan = api.trace.wrapSpanContext(api.INVALID_SPAN_CONTEXT);
const headersGetter: api.TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: (headers) => [...headers.keys()],
};

/** Starts spans. The SDK decides which of them are sampled, and sends them. */
export class TracesInstrument extends Instrument {
  constructor(
    isDisabled: boolean,
    private readonly tracer: api.Tracer,
    private readonly propagator: api.TextMapPropagator,
  ) {
    super(isDisabled);
  }

  /**
   * Calls `fn` in an INTERNAL span, and returns what it returns. The parent is the current span, if
   * there is one. The span ends when `fn` returns, or its promise is settled. Records what `fn`
   * throws, and throws it again. If tracing is inactive or the request is not sampled, `fn` gets a
   * span that does not record.
   */
  readonly trace = <T>(name: string, fn: (span: api.Span) => T): T => {
    if (!this.active) return fn(noSpan);
    const parent = contexts.active();
    const span = this.tracer.startSpan(name, undefined, parent);
    const succeed = <V>(value: V): V => {
      span.end();
      return value;
    };
    const failed = (error: unknown): never => {
      fail(span, error);
      span.end();
      throw error;
    };
    try {
      const result = contexts.with(api.trace.setSpan(parent, span), fn, undefined, span);
      const isThenable =
        typeof (result as Partial<Promise<unknown>> | null | undefined)?.then === 'function';
      return isThenable
        ? ((result as Promise<unknown>).then(succeed, failed) as T)
        : succeed(result);
    } catch (error) {
      return failed(error);
    }
  };

  /**
   * Starts the SERVER span of a request, as a child of its caller's or of that which passes it to
   * the app.
   */
  startServerSpan(request: Request): { span: api.Span; context: api.Context } {
    const current = contexts.active();
    // A server keeps the context in which it was started, and requests are no children of its
    // start.
    const isOver = (api.trace.getSpan(current) as Partial<ReadableSpan> | undefined)?.ended;
    const outer = isOver ? api.trace.deleteSpan(current) : current;
    const parent = this.propagator.extract(outer, request.headers, headersGetter);
    const options = { kind: api.SpanKind.SERVER, attributes: startAttributes(request) };
    const span = this.tracer.startSpan(verbOf(request), options, parent);
    return { span, context: api.trace.setSpan(parent, span) };
  }
}

/** Records that the work of a span has failed. */
export function fail(span: api.Span, error: unknown): void {
  const { message, stack = '' } = error instanceof Error ? error : { message: String(error) };
  span.recordException(error instanceof Error ? { name: typeOf(error), message, stack } : message);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message });
}
