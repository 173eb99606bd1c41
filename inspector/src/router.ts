import type { Context, Hono, Next } from 'hono';
import type { Result, Router } from 'hono/router';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';

type Entry = Hono['router'] extends Router<infer T> ? T : never;
type Match = Result<Entry>;

/** What is told of a request: its context if bodies are recorded, or a sub-app may have handled an error by itself. */
export interface Observer {
  readonly bodies: object | undefined;
  route: string | undefined;
  context: Context | undefined;
}

/**
 * Returns a router that also tells which route it matched: once for each request, synchronously within `app.fetch`. Its
 * observer gets the next route, and no other, because a handler may pass more requests to the app.
 */
export function observedRouter(router: Hono['router']) {
  return {
    name: router.name,
    observer: undefined as Observer | undefined,
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
        // For Hono, what takes `next` is a middleware. The first handler that doesn't is the endpoint.
        if (isMiddleware(target)) continue;
        observer.route = route.path;
        return needsContext ? observedMatch(match, observer) : match;
      }
      return observedMatch(match, observer);
    },
  };
}

/**
 * Of middleware alone, as a mounted app or a server of files is, the one that answers is the endpoint. So this also notes
 * which one was called last. If the last of all calls `next`, there is none.
 */
function observedMatch([entries, ...stash]: Match, observer: Observer): Match {
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
