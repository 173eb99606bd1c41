import { type Context as OtelContext, type Span, SpanStatusCode, trace as traceApi } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Context, ErrorHandler, Hono } from 'hono';
import { contexts } from './contexts.ts';
import { Outcomes, requestAttributes, spanNameOf } from './http.ts';
import type { MetricsInstrument } from './metrics.ts';
import { ObservedRouter } from './router.ts';
import { isEnding } from './signals.ts';
import { fail, type TracesInstrument } from './traces.ts';

type Answer = Response | Promise<Response>;
type Fetch = (request: Request, env?: unknown, executionContext?: unknown) => Answer;
/** A Hono app, whatever its variables, bindings and routes are. */
export type HonoApp = { fetch(request: Request): Answer; router: Hono['router'] };
type App = HonoApp & { fetch: Fetch; errorHandler: ErrorHandler };

/** One request under observation. */
interface Exchange {
  readonly request: Request;
  readonly startMs: number;
  readonly isMeasured: boolean;
  readonly span: Span | undefined;
  route: string | undefined;
}

/** Wraps `app.fetch`. Even an empty middleware would cost 1.8 µs, and make every answer asynchronous. */
export class HonoInstrumentation {
  private readonly outcomes = new Outcomes();
  private readonly exceptions = new WeakMap<Request, unknown>();
  private readonly instrumented = new WeakSet<object>();

  constructor(
    private readonly traces: TracesInstrument,
    private readonly metrics: MetricsInstrument,
  ) {}

  /** Observes all requests to `app`, which it changes in place and returns. A second call changes nothing. */
  instrument<A extends HonoApp>(app: A): A {
    if (this.instrumented.has(app)) return app;
    this.instrumented.add(app);
    const target = app as unknown as App;
    const router = new ObservedRouter(target.router);
    target.router = router;
    this.observeErrors(target, router);
    target.fetch = this.wrap(target.fetch, router);
    return app;
  }

  private wrap(dispatch: Fetch, router: ObservedRouter): Fetch {
    const { traces, metrics } = this;
    return (request, env, executionContext) => {
      if (!traces.active && !metrics.active) return dispatch(request, env, executionContext);
      if (isEnding()) return unanswered();
      const parent = traces.active ? traces.contextOf(request) : undefined;
      const exchange = this.begin(request, parent);
      router.observer = exchange;
      let answer: Answer;
      try {
        answer = parent
          ? contexts.with(
              traceApi.setSpan(parent, exchange.span as Span),
              dispatch,
              undefined,
              request,
              env,
              executionContext,
            )
          : dispatch(request, env, executionContext);
      } catch (error) {
        return this.fail(exchange, error);
      }
      // A synchronous answer stays synchronous.
      return answer instanceof Promise
        ? answer.then(
            (response) => this.finish(exchange, response),
            (error) => this.fail(exchange, error),
          )
        : this.finish(exchange, answer);
    };
  }

  private begin(request: Request, parent: OtelContext | undefined): Exchange {
    const span = parent && this.traces.startServerSpan(spanNameOf(request.method), parent);
    return { request, startMs: performance.now(), isMeasured: this.metrics.active, span, route: undefined };
  }

  private finish(exchange: Exchange, response: Response): Answer {
    if (isEnding()) return unanswered();
    const { status } = response;
    this.end(exchange, status, status < 500 ? undefined : this.exceptions.get(exchange.request));
    return response;
  }

  private fail(exchange: Exchange, exception: unknown): never {
    this.end(exchange, undefined, exception);
    throw exception;
  }

  private end(exchange: Exchange, statusCode: number | undefined, exception: unknown): void {
    const { request, span, route } = exchange;
    const { method, url } = request;
    const outcome = this.outcomes.of(method, route, url, statusCode, exception);
    if (exchange.isMeasured) this.metrics.record(performance.now() - exchange.startMs, outcome.attributes);
    if (!span?.isRecording()) return;
    const { name, attributes } = span as unknown as ReadableSpan;
    // What the app has set stays.
    if (name === spanNameOf(method)) span.updateName(outcome.spanName);
    const own = { ...outcome.attributes, ...requestAttributes(method, url) };
    span.setAttributes(own);
    if (exception !== undefined) fail(span, exception);
    else if (outcome.errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  /** Notes exceptions in `app.errorHandler`, which Hono calls to answer them. The app may still set another handler. */
  private observeErrors(app: App, router: ObservedRouter): void {
    let handler = app.errorHandler;
    const observe: ErrorHandler = (error: Error, c: Context) => {
      this.exceptions.set(c.req.raw, error);
      return handler(error as Parameters<ErrorHandler>[0], c);
    };
    Object.defineProperty(app, 'errorHandler', {
      // Before the first request, `route()` asks if this app has a handler of its own. If not, the outer app's counts.
      get: () => (router.hasMatched ? observe : handler),
      set: (next: ErrorHandler) => {
        handler = next;
      },
    });
  }
}

/** Never settles: the signal that ends the process has come, and would have kept it from answering. */
function unanswered(): Promise<never> {
  return new Promise(() => {});
}
