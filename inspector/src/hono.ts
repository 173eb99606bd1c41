import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { Context, ErrorHandler, Hono } from 'hono';
import { contexts } from './api.ts';
import type { BodiesInstrument } from './bodies.ts';
import { ownAttributes, sharedAttributes, verbOf } from './http.ts';
import type { MetricsInstrument } from './metrics.ts';
import { ObservedRouter } from './router.ts';
import { isEnding } from './signals.ts';
import { fail, type TracesInstrument } from './traces.ts';

type Answer = Response | Promise<Response>;
type Fetch = (request: Request, env?: unknown, executionContext?: unknown) => Answer;
/** A Hono app, whatever its variables, bindings and routes are. */
export type HonoApp = { fetch(request: Request): Answer; router: Hono['router'] };
type App = { fetch: Fetch; router: Hono['router']; errorHandler: ErrorHandler };
type Instruments = { traces: TracesInstrument; metrics: MetricsInstrument; bodies: BodiesInstrument };

const exceptions = new WeakMap<Request, unknown>();

/** Wraps `app.fetch`. Even an empty middleware would cost 1.8 µs, and make every answer asynchronous. */
export function instrument(honoApp: HonoApp, instruments: Instruments): void {
  const app = honoApp as unknown as App;
  const { traces, metrics } = instruments;
  const dispatch = app.fetch;
  const router = new ObservedRouter(app.router);
  app.router = router;
  let handleError = app.errorHandler;
  const observeError: ErrorHandler = (error: Error, c: Context) => {
    exceptions.set(c.req.raw, error);
    return handleError(error as never, c);
  };
  app.fetch = (request, env, executionContext) => {
    if (!traces.active && !metrics.active) return dispatch(request, env, executionContext);
    if (isEnding()) return unanswered();
    if (app.errorHandler !== observeError) {
      // The app may have set another one, at any time.
      handleError = app.errorHandler;
      app.errorHandler = observeError;
    }
    const [span, context] = traces.active ? traces.startServerSpan(verbOf(request), request) : [];
    const exchange = new Exchange(request, instruments, span);
    router.observer = exchange;
    let answer: Answer;
    try {
      answer = context
        ? contexts.with(context, dispatch, undefined, request, env, executionContext)
        : dispatch(request, env, executionContext);
    } catch (error) {
      return exchange.fail(error);
    }
    // A synchronous answer stays synchronous.
    if (!(answer instanceof Promise)) return exchange.finish(answer);
    return answer.then(
      (response) => (isEnding() ? unanswered() : exchange.finish(response)),
      (error) => exchange.fail(error),
    );
  };
}

/** One request under observation. */
class Exchange {
  route: string | undefined = undefined;
  private readonly startMs = performance.now();
  private readonly isMeasured: boolean;
  private readonly endWithBodies: ReturnType<BodiesInstrument['record']> | undefined;

  constructor(
    private readonly request: Request,
    private readonly instruments: Instruments,
    private readonly span: Span | undefined,
  ) {
    const { bodies, metrics } = instruments;
    this.isMeasured = metrics.active;
    if (bodies.active && span?.isRecording()) this.endWithBodies = bodies.record(request, span);
  }

  finish(response: Response): Response {
    this.end(response, response.status < 500 ? undefined : exceptions.get(this.request));
    return response;
  }

  fail(exception: unknown): never {
    this.end(undefined, exception);
    throw exception;
  }

  private end(response: Response | undefined, exception: unknown): void {
    const { request, span, route } = this;
    const shared = sharedAttributes(request, route, response?.status, exception);
    if (this.isMeasured) this.instruments.metrics.record(performance.now() - this.startMs, shared);
    if (!span?.isRecording()) return;
    this.describe(span as Span & ReadableSpan, shared);
    if (exception !== undefined) fail(span, exception);
    else if (response === undefined || response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    if (this.endWithBodies) this.endWithBodies(response);
    else span.end();
  }

  /** All in the end, when all is known. What the app has set stays. */
  private describe(span: Span & ReadableSpan, shared: Attributes): void {
    const { request, route } = this;
    const verb = verbOf(request);
    if (route !== undefined && span.name === verb) span.updateName(`${verb} ${route}`);
    const given = { ...span.attributes };
    span.setAttributes(shared).setAttributes(ownAttributes(request)).setAttributes(given);
  }
}

/** Never settles: the signal that ends the process has come, and would have kept it from answering. */
function unanswered(): Promise<never> {
  return new Promise(() => {});
}
