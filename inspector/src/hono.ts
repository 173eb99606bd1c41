import type { Context, ErrorHandler, Hono } from 'hono';
import type { BodiesInstrument } from './bodies.ts';
import type { BodyRecording } from './body-recording.ts';
import { type Scope, scopes } from './context.ts';
import { Outcomes } from './http.ts';
import type { MetricsInstrument } from './metrics.ts';
import { type Match, ObservedRouter, routeOf } from './router.ts';
import { ServerSpan } from './server-span.ts';
import type { TracesInstrument } from './traces.ts';

type Answer = Response | Promise<Response>;
type Fetch = (request: Request, env?: unknown, executionContext?: unknown) => Answer;
/** A Hono app, whatever its variables, bindings and routes are. */
export type HonoApp = { fetch(request: Request): Answer; router: Hono['router'] };
type App = HonoApp & { fetch: Fetch; errorHandler: ErrorHandler };

/** One request under observation. */
interface Exchange {
  readonly request: Request;
  readonly startMs: number;
  readonly scope: ServerSpan | Scope | undefined;
  readonly isMeasured: boolean;
  readonly bodies: BodyRecording | undefined;
  match: Match | undefined;
}

/** Wraps `app.fetch`. Even an empty middleware would cost 1.8 µs, and make every answer asynchronous. */
export class HonoInstrumentation {
  private readonly outcomes = new Outcomes();
  private readonly exceptions = new WeakMap<Request, unknown>();
  private readonly instrumented = new WeakSet<object>();

  constructor(
    private readonly traces: TracesInstrument,
    private readonly metrics: MetricsInstrument,
    private readonly bodies: BodiesInstrument,
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
      const exchange = this.begin(request);
      const { scope } = exchange;
      router.observer = exchange;
      let answer: Answer;
      try {
        answer =
          scope === undefined
            ? dispatch(request, env, executionContext)
            : scopes.run(scope, dispatch, request, env, executionContext);
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

  private begin(request: Request): Exchange {
    const startMs = performance.now();
    const scope = this.traces.active ? this.traces.startServerScope(request, startMs) : undefined;
    const isRecorded = this.bodies.active && scope instanceof ServerSpan;
    const bodies = isRecorded ? this.bodies.record(request, scope) : undefined;
    return { request, startMs, scope, isMeasured: this.metrics.active, bodies, match: undefined };
  }

  private finish(exchange: Exchange, response: Response): Response {
    const { status } = response;
    const exception = status < 500 ? undefined : this.exceptions.get(exchange.request);
    this.end(exchange, status, exception);
    exchange.bodies?.finish(exchange.request, response);
    return response;
  }

  private fail(exchange: Exchange, exception: unknown): never {
    this.end(exchange, undefined, exception);
    exchange.bodies?.finish(exchange.request, undefined);
    throw exception;
  }

  private end(exchange: Exchange, statusCode: number | undefined, exception: unknown): void {
    const { request, startMs, scope } = exchange;
    const endMs = performance.now();
    const outcome = this.outcomes.of(request.method, routeOf(exchange.match), request.url, statusCode, exception);
    if (exchange.isMeasured) this.metrics.record(outcome, endMs - startMs);
    if (scope instanceof ServerSpan) {
      if (exception !== undefined) scope.fail(exception);
      scope.finish(outcome, endMs);
    }
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
