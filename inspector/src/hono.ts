import {
  type AttributeValue,
  type Histogram,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { ATTR_ERROR_TYPE } from '@opentelemetry/semantic-conventions';
import type { Context, ErrorHandler, Hono, Next } from 'hono';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';
import type { BodiesInstrument } from './bodies.ts';
import { endAttributes, verbOf } from './http.ts';
import type { Instrument } from './instrument.ts';
import { contexts } from './sdk.ts';
import { isEnding, unanswered } from './signals.ts';
import { fail, type TracesInstrument } from './traces.ts';

type Answer = Response | Promise<Response>;
type Fetch = (request: Request, env?: unknown, executionContext?: unknown) => Answer;
/** A Hono app, whatever its variables, bindings and routes are. */
export type HonoApp = { fetch(request: Request): Answer; router: Hono['router'] };
type App = { fetch: Fetch; router: Hono['router']; errorHandler: ErrorHandler };
type Instruments = { traces: TracesInstrument; metrics: Instrument; bodies: BodiesInstrument };
type Match = ReturnType<Hono['router']['match']>;

const exceptions = new WeakMap<Request, unknown>();
const untraced = { span: undefined, context: undefined };

/**
 * Wraps `app.fetch`. Even an empty middleware would cost 0.5 µs, and make every answer
 * asynchronous.
 */
export function instrument(
  honoApp: HonoApp,
  { traces, metrics, bodies }: Instruments,
  durations: Histogram,
): void {
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
    const { span, context } = traces.active ? traces.startServerSpan(request) : untraced;
    const recorder = bodies.active && span?.isRecording() ? bodies : undefined;
    const exchange = new Exchange(request, span, recorder, metrics.active ? durations : undefined);
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
    if (!(answer instanceof Promise)) return exchange.finish(answer) as Response;
    return answer.then(
      (response) => (isEnding() ? unanswered : (exchange.finish(response) as Response)),
      (error) => exchange.fail(error),
    );
  };
}

/** One request under observation. */
class Exchange {
  route: string | undefined = undefined;
  context: Context | undefined = undefined;
  private readonly startMs = performance.now();

  constructor(
    private readonly request: Request,
    private readonly span: Span | undefined,
    readonly bodies: BodiesInstrument | undefined,
    private readonly durations: Histogram | undefined,
  ) {}

  fail(thrown: unknown): never {
    this.finish(undefined, thrown);
    throw thrown;
  }

  /** Records what is known only now, and returns what to send. What the app has set stays. */
  finish(response: Response | undefined, thrown?: unknown) {
    const { request, span, route } = this;
    const isError = response !== undefined && response.status >= 500;
    const exception = isError ? (exceptions.get(request) ?? this.context?.error) : thrown;
    const shared = endAttributes(request, route, response?.status, exception);
    // No part of the SDK asks a measurement for its context, and to look it up costs time.
    this.durations?.record((performance.now() - this.startMs) / 1000, shared, ROOT_CONTEXT);
    if (!span?.isRecording()) return response;
    const { name, attributes } = span as Span & ReadableSpan;
    for (const key in shared)
      if (!(key in attributes)) span.setAttribute(key, shared[key] as AttributeValue);
    const verb = verbOf(request);
    if (route !== undefined && name === verb) span.updateName(`${verb} ${route}`);
    if (exception !== undefined) fail(span, exception);
    else if (ATTR_ERROR_TYPE in shared) span.setStatus({ code: SpanStatusCode.ERROR });
    if (this.bodies) return this.bodies.record(span, request, this.context, response);
    span.end();
    return response;
  }
}

/**
 * Returns a router that also tells which route it matched: once for each request, synchronously
 * within `app.fetch`. Its observer gets the next route, and no other, because a handler may pass
 * more requests to the app.
 */
function observedRouter(router: Hono['router']) {
  return {
    name: router.name,
    observer: undefined as Exchange | undefined,
    add: (...route: Parameters<typeof router.add>) => router.add(...route),
    match(method: string, path: string): Match {
      const { observer } = this;
      this.observer = undefined;
      const match = router.match(method, path);
      if (observer === undefined) return match;
      let needsContext = observer.bodies !== undefined;
      for (const [[handler, route]] of match[0]) {
        const target = findTargetHandler(handler);
        needsContext ||= target !== handler;
        // For Hono, what takes `next` is a middleware. The first handler that doesn't is the
        // endpoint.
        if (isMiddleware(target)) continue;
        observer.route = route.path;
        return needsContext ? observedMatch(match, observer) : match;
      }
      return observedMatch(match, observer);
    },
  };
}

/**
 * Of middleware alone, as a mounted app or a server of files is, the one that answers is the
 * endpoint. So this also notes which one was called last. If the last of all calls `next`, there is
 * none.
 */
function observedMatch([entries, ...stash]: Match, observer: Exchange): Match {
  const hasEndpoint = observer.route !== undefined;
  const observed = entries.map(([[handler, route], parameters], index) => {
    const observe = (c: Context, next: Next) => {
      observer.context = c;
      if (hasEndpoint) return handler(c, next);
      observer.route = route.path;
      return handler(c, () => {
        if (index === entries.length - 1) observer.route = undefined;
        return next();
      });
    };
    return [[observe, route], parameters];
  });
  return [observed, ...stash] as Match;
}
