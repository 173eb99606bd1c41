import type { Context, Hono, Next } from 'hono';
import type { Result, Router } from 'hono/router';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';

type HonoRouter = Hono['router'];
type Entry = HonoRouter extends Router<infer T> ? T : never;
type Match = Result<Entry>;
type Observer = { route: string | undefined };

/** Hono's router, which also tells which route it matched: once for each request, synchronously within `app.fetch`. */
export class ObservedRouter implements Router<Entry> {
  readonly name: string;
  /** Gets the next route, and no other, because a handler may pass more requests to the app. */
  observer: Observer | undefined = undefined;

  constructor(private readonly router: HonoRouter) {
    this.name = router.name;
  }

  add(...route: Parameters<HonoRouter['add']>): void {
    this.router.add(...route);
  }

  match(method: string, path: string): Match {
    const { observer } = this;
    this.observer = undefined;
    const match = this.router.match(method, path);
    if (observer === undefined) return match;
    // For Hono, what takes `next` is a middleware. The first handler that doesn't is the endpoint.
    const endpoint = match[0].find(([[handler]]) => !isMiddleware(findTargetHandler(handler)));
    observer.route = endpoint?.[0][1].path;
    return endpoint ? match : observedMatch(match, observer);
  }
}

/**
 * Of middleware alone, as a mounted app or a server of files is, the one that answers is the endpoint. So this notes which
 * one was called last. If the last of all calls `next`, there is none.
 */
function observedMatch([entries, ...stash]: Match, observer: Observer): Match {
  const observed = entries.map(([[handler, route], parameters], index) => {
    const observe = (c: Context, next: Next) => {
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
