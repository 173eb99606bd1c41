import { type Span, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { Context, ErrorHandler, Hono } from 'hono';
import { contexts } from './api.ts';
import type { BodiesInstrument } from './bodies.ts';
import { ownAttributes, sharedAttributes, verbOf } from './http.ts';
import type { MetricsInstrument } from './metrics.ts';
import { observedRouter } from './router.ts';
import { isEnding, unanswered } from './signals.ts';
import { fail, type TracesInstrument } from './traces.ts';

type Answer = Response | Promise<Response>;
type Fetch = (request: Request, env?: unknown, executionContext?: unknown) => Answer;
/** A Hono app, whatever its variables, bindings and routes are. */
export type HonoApp = { fetch(request: Request): Answer; router: Hono['router'] };
type App = { fetch: Fetch; router: Hono['router']; errorHandler: ErrorHandler };
type Instruments = { traces: TracesInstrument; metrics: MetricsInstrument; bodies: BodiesInstrument };

const exceptions = new WeakMap<Request, unknown>();
const untraced = { span: undefined, context: undefined };

/** Wraps `app.fetch`. Even an empty middleware would cost 1.8 µs, and make every answer asynchronous. */
export function instrument(honoApp: HonoApp, { traces, metrics, bodies }: Instruments): void {
  const app = honoApp as unknown as App;
  const dispatch = app.fetch;
  const router = observedRouter(app.router);
  app.router = router;
  let handleError: ErrorHandler;
  const observeError: ErrorHandler = (error: Error, c: Context) => {
    exceptions.set(c.req.raw, error);
    return handleError(error as never, c);
  };
  app.fetch = (request, env, executionContext) => {
    if (!traces.active && !metrics.active) return dispatch(request, env, executionContext);
    if (isEnding()) return unanswered;
    // The app may set another one at any time.
    if (app.errorHandler !== observeError) handleError = app.errorHandler;
    app.errorHandler = observeError;
    const { span, context } = traces.active ? traces.startServerSpan(verbOf(request), request) : untraced;
    const endSpan = bodies.active && span?.isRecording() ? bodies.record(request, span) : undefined;
    const exchange = new Exchange(request, span, endSpan, metrics.active ? metrics : undefined);
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
      (response) => (isEnding() ? unanswered : exchange.finish(response)),
      (error) => exchange.fail(error),
    );
  };
}

/** One request under observation. */
class Exchange {
  route: string | undefined = undefined;
  private readonly startMs = performance.now();

  constructor(
    private readonly request: Request,
    private readonly span: Span | undefined,
    private readonly endSpan: ((response: Response | undefined) => void) | undefined,
    private readonly metrics: MetricsInstrument | undefined,
  ) {}

  finish(response: Response): Response {
    this.end(response, response.status < 500 ? undefined : exceptions.get(this.request));
    return response;
  }

  fail(exception: unknown): never {
    this.end(undefined, exception);
    throw exception;
  }

  /** Sets all attributes, since only now all are known. Those that the app has set stay. */
  private end(response: Response | undefined, exception: unknown): void {
    const { request, span, route } = this;
    const shared = sharedAttributes(request, route, response?.status, exception);
    this.metrics?.record(performance.now() - this.startMs, shared);
    if (!span?.isRecording()) return;
    const { name, attributes } = span as Span & ReadableSpan;
    const given = { ...attributes };
    span.setAttributes(shared).setAttributes(ownAttributes(request)).setAttributes(given);
    const verb = verbOf(request);
    if (route !== undefined && name === verb) span.updateName(`${verb} ${route}`);
    if (exception !== undefined) fail(span, exception);
    else if (ATTR_ERROR_TYPE in shared) span.setStatus({ code: SpanStatusCode.ERROR });
    if (this.endSpan) this.endSpan(response);
    else span.end();
  }
}
