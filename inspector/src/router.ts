import type { Context, Hono, Next } from 'hono';
import type { Result, Router } from 'hono/router';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';

type HonoRouter = Hono['router'];
type Entry = HonoRouter extends Router<infer T> ? T : never;
type Match = Result<Entry>;

/** Hono's router, which also tells which route it matched: once for each request, synchronously within `app.fetch`. */
export class ObservedRouter implements Router<Entry> {
  /** Gets the next route, and no other, because a handler may pass more requests to the app. */
  observer: { route: string | undefined } | undefined = undefined;
  /** True when a first request has come. */
  hasMatched = false;

  constructor(private readonly router: HonoRouter) {}

  get name(): string {
    return this.router.name;
  }

  add(method: string, path: string, handler: Entry): void {
    this.router.add(method, path, handler);
  }

  match(method: string, path: string): Match {
    const { observer } = this;
    this.observer = undefined;
    this.hasMatched = true;
    const match = this.router.match(method, path);
    if (observer === undefined) return match;
    observer.route = routeOf(match);
    return observer.route === undefined && match[0].length > 0 ? observed(match, observer) : match;
  }
}

/**
 * Returns the path of the first handler that is no middleware: for Hono, that is one that takes `next`. If there is none,
 * returns that of the last handler that was added for a single method, as by `app.get()`.
 */
function routeOf(match: Match): string | undefined {
  let fallback: string | undefined;
  for (const [[handler, route]] of match[0]) {
    if (!isMiddleware(findTargetHandler(handler))) return route.path;
    if (route.method !== 'ALL') fallback = route.path;
  }
  return fallback;
}

/**
 * Of middleware alone, as a mounted app or a server of files is, the one that answers is the endpoint. So this tells which
 * one was called last. If that one calls `next`, nothing is left that could answer.
 */
function observed(match: Match, observer: { route: string | undefined }): Match {
  const [handlers, ...stash] = match;
  const last = handlers.length - 1;
  const entries = handlers.map(([[handler, route], parameters], index) => {
    const observe = (c: Context, next: Next) => {
      observer.route = route.path;
      return handler(c, index < last ? next : () => leave(observer, next));
    };
    return [[observe, route], parameters];
  });
  return [entries, ...stash] as Match;
}

function leave(observer: { route: string | undefined }, next: Next): Promise<void> {
  observer.route = undefined;
  return next();
}
