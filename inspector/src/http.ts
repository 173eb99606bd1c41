// The stable semantic conventions for HTTP servers: what spans and metrics say about a request and its response.

import type { Attributes } from '@opentelemetry/api';

const otherMethod = '_OTHER';
const defaultMethods = 'GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH,QUERY';
const methods = process.env.OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS || defaultMethods;
const knownMethods = new Set(methods.split(',').map((method) => method.trim()));

/** Query parameters whose values are credentials. The conventions want them redacted. */
const secretParameters =
  /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature|X-Amz-(?:Signature|Credential|Security-Token))=[^&]*/g;

/** The host and the port. A user's credentials are left out. */
const originPattern = /^https?:\/\/(?:[^/@]*@)?(\[[^/]*\]|[^/:]*)(?::(\d*))?/;

/** How many ways to end are told apart by the names of exceptions, for each route. */
const outcomeLimit = 100;

/** How requests with one method and route ended. */
export interface Outcome {
  /** A known method, or `_OTHER`. */
  readonly method: string;
  readonly spanName: string;
  readonly scheme: 'http' | 'https';
  /** Undefined if the app threw, so that the server makes the response. */
  readonly statusCode: number | undefined;
  /** Set for 5xx and if the app threw: the name of the exception, or the status code if there is none. */
  readonly errorType: string | undefined;
  /** What spans and durations have in common. */
  readonly attributes: Attributes;
}

/** Makes each outcome once, so that `===` tells if two requests ended alike. */
export class Outcomes {
  private readonly byRoute = new Map<string | undefined, Outcome[]>();

  /** @param route the path pattern as it was given to Hono, with base paths; undefined if no route matched */
  of(requestMethod: string, route: string | undefined, url: string, statusCode?: number, error?: unknown): Outcome {
    const method = knownMethods.has(requestMethod) ? requestMethod : otherMethod;
    const scheme = url.startsWith('https:') ? 'https' : 'http';
    const errorType = errorTypeOf(statusCode, error);
    const outcomes = this.byRoute.get(route) ?? [];
    for (const outcome of outcomes) {
      const endedAlike = outcome.statusCode === statusCode && outcome.errorType === errorType;
      if (endedAlike && outcome.method === method && outcome.scheme === scheme) return outcome;
    }
    // An app may give each of its errors a name of its own: then they count as the status code that they end in.
    const named = outcomes.filter((outcome) => outcome.errorType && outcome.errorType !== String(outcome.statusCode));
    if (error instanceof Error && named.length >= outcomeLimit) return this.of(requestMethod, route, url, statusCode);
    const attributes: Attributes = { 'http.request.method': method, 'url.scheme': scheme };
    if (route !== undefined) attributes['http.route'] = route;
    if (statusCode !== undefined) attributes['http.response.status_code'] = statusCode;
    if (errorType !== undefined) attributes['error.type'] = errorType;
    const verb = method === otherMethod ? 'HTTP' : method;
    const spanName = route === undefined ? verb : `${verb} ${route}`;
    const outcome: Outcome = { method, spanName, scheme, statusCode, errorType, attributes };
    this.byRoute.set(route, [...outcomes, outcome]);
    return outcome;
  }
}

function errorTypeOf(statusCode: number | undefined, error: unknown): string | undefined {
  if (statusCode !== undefined && statusCode < 500) return undefined;
  if (error instanceof Error && error.name) return String(error.name);
  return statusCode === undefined ? otherMethod : String(statusCode);
}

/** The attributes of a SERVER span. `outcome` is undefined while the request is being answered. */
export function spanAttributes(requestMethod: string, url: string, outcome: Outcome | undefined): Attributes {
  const { origin, address, port, path, query } = partsOf(url);
  const attributes: Attributes = { ...outcome?.attributes, 'url.path': path };
  if (address !== '') {
    attributes['server.address'] = address;
    attributes['server.port'] = Number(port) || (origin.startsWith('https:') ? 443 : 80);
  }
  if (!knownMethods.has(requestMethod)) attributes['http.request.method_original'] = requestMethod;
  if (query !== '') attributes['url.query'] = query;
  return attributes;
}

/** Splits a `Request.url`. All before the path is empty if the request named no host. */
export function partsOf(url: string) {
  const [origin, address = '', port = ''] = originPattern.exec(url) ?? [''];
  return { origin, address, port, ...targetOf(url, origin.length) };
}

/** What follows the host: path and query, with credentials redacted. The path starts at `start`. */
export function targetOf(url: string, start: number): { path: string; query: string } {
  const fragmentStart = url.indexOf('#', start);
  const end = fragmentStart === -1 ? url.length : fragmentStart;
  const questionMark = url.indexOf('?', start);
  if (questionMark === -1 || questionMark > end) return { path: url.slice(start, end), query: '' };
  const query = url.slice(questionMark + 1, end).replace(secretParameters, '$1$2=REDACTED');
  return { path: url.slice(start, questionMark), query };
}
