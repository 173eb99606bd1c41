import type { Hono } from 'hono';
import type { Result, Router } from 'hono/router';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';

type HonoRouter = Hono['router'];
type Entry = HonoRouter extends Router<infer T> ? T : never;
export type Match = Result<Entry>;

/** Hono's router, which also tells what it matched: once for each request, synchronously within `app.fetch`. */
export class ObservedRouter implements Router<Entry> {
  /** Gets the next match, and no other, because a handler may pass more requests to the app. */
  observer: { match: Match | undefined } | undefined = undefined;
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
    const match = this.router.match(method, path);
    if (this.observer !== undefined) this.observer.match = match;
    this.observer = undefined;
    this.hasMatched = true;
    return match;
  }
}

/**
 * Returns the path of the first handler that is no middleware: for Hono, that is one that takes `next`. If there is none,
 * returns that of the last handler that was added for a single method, as by `app.get()`.
 */
export function routeOf(match: Match | undefined): string | undefined {
  if (match === undefined) return undefined;
  let fallback: string | undefined;
  for (const [[handler, route]] of match[0]) {
    if (!isMiddleware(findTargetHandler(handler))) return route.path;
    if (route.method !== 'ALL') fallback = route.path;
  }
  return fallback;
}
