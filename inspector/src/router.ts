import type { Hono } from 'hono';
import type { Result, Router } from 'hono/router';
import { findTargetHandler, isMiddleware } from 'hono/utils/handler';

type HonoRouter = Hono['router'];
type Entry = HonoRouter extends Router<infer T> ? T : never;
export type Match = Result<Entry>;

/**
 * Hono's router, noting what it matched. Hono asks it once for each request, synchronously within `app.fetch`, so
 * the route is known without matching twice and without a middleware.
 */
export class ObservedRouter implements Router<Entry> {
  private match_: Match | undefined = undefined;
  private isExpecting = false;

  constructor(private readonly router: HonoRouter) {}

  get name(): string {
    return this.router.name;
  }

  add(method: string, path: string, handler: Entry): void {
    this.router.add(method, path, handler);
  }

  match(method: string, path: string): Match {
    const match = this.router.match(method, path);
    if (this.isExpecting) {
      this.isExpecting = false;
      this.match_ = match;
    }
    return match;
  }

  /** Notes the next match, and only that: a handler may pass further requests to the app. Returns what it noted before. */
  expectMatch(): Match | undefined {
    const before = this.match_;
    this.match_ = undefined;
    this.isExpecting = true;
    return before;
  }

  /** Returns the match noted, and puts back what `expectMatch()` returned. */
  takeMatch(before: Match | undefined): Match | undefined {
    const match = this.match_;
    this.match_ = before;
    this.isExpecting = false;
    return match;
  }
}

/**
 * The route that answers: the first handler that isn't a middleware, which Hono tells by whether it takes `next`. A
 * handler that takes it and isn't added for all methods, as `app.get(path, (c, next) => ...)`, counts where no other is.
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
