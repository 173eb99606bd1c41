// The stable semantic conventions for HTTP servers: what spans and metrics say about a request and its response.

import type { Attributes } from '@opentelemetry/api';
import {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_REQUEST_METHOD_ORIGINAL,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_ADDRESS,
  ATTR_SERVER_PORT,
  ATTR_URL_PATH,
  ATTR_URL_QUERY,
  ATTR_URL_SCHEME,
  ERROR_TYPE_VALUE_OTHER,
  HTTP_REQUEST_METHOD_VALUE_OTHER,
} from '@opentelemetry/semantic-conventions';

const defaultMethods = 'GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH,QUERY';
const methods = process.env.OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS || defaultMethods;
const knownMethods = new Set(methods.split(',').map((method) => method.trim()));

/** Query parameters whose values are credentials. The conventions want them redacted. */
const secretParameters =
  /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature|X-Amz-(?:Signature|Credential|Security-Token))=[^&]*/g;

/** The host and the port. A user's credentials are left out. */
const originPattern = /^(https?):\/\/(?:[^/@]*@)?(?:\[([^/]*)\]|([^/:]*))(?::(\d*))?$/;

/** So many outcomes are kept. Then all are forgotten, and made anew. */
const outcomeLimit = 1000;

/** How requests with one method and route ended. */
export interface Outcome {
  readonly method: string;
  readonly scheme: string;
  /** Undefined if the app threw, so that the server makes the response. */
  readonly statusCode: number | undefined;
  /** Set for 5xx and if the app threw: the name of the exception, or the status code if there is none. */
  readonly errorType: string | undefined;
  readonly spanName: string;
  /** What spans and durations have in common. */
  readonly attributes: Attributes;
}

/** Makes the attributes that requests have in common once for all of them. */
export class Outcomes {
  private readonly byRoute = new Map<string | undefined, Outcome[]>();
  private count = 0;

  /** @param route the path pattern as it was given to Hono, with base paths; undefined if no route matched */
  of(requestMethod: string, route: string | undefined, url: string, statusCode?: number, error?: unknown): Outcome {
    const method = knownMethods.has(requestMethod) ? requestMethod : HTTP_REQUEST_METHOD_VALUE_OTHER;
    const scheme = url.startsWith('https:') ? 'https' : 'http';
    const errorType = errorTypeOf(statusCode, error);
    const known = this.byRoute.get(route) ?? [];
    for (const outcome of known) {
      const endedAlike = outcome.statusCode === statusCode && outcome.errorType === errorType;
      if (endedAlike && outcome.method === method && outcome.scheme === scheme) return outcome;
    }
    const attributes: Attributes = { [ATTR_HTTP_REQUEST_METHOD]: method, [ATTR_URL_SCHEME]: scheme };
    if (route !== undefined) attributes[ATTR_HTTP_ROUTE] = route;
    if (statusCode !== undefined) attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = statusCode;
    if (errorType !== undefined) attributes[ATTR_ERROR_TYPE] = errorType;
    const name = spanNameOf(requestMethod);
    const spanName = route === undefined ? name : `${name} ${route}`;
    const outcome = { method, scheme, statusCode, errorType, spanName, attributes };
    this.keep(route, outcome);
    return outcome;
  }

  private keep(route: string | undefined, outcome: Outcome): void {
    if (this.count++ === outcomeLimit) {
      this.byRoute.clear();
      this.count = 1;
    }
    this.byRoute.set(route, [...(this.byRoute.get(route) ?? []), outcome]);
  }
}

function errorTypeOf(statusCode: number | undefined, error: unknown): string | undefined {
  if (statusCode !== undefined && statusCode < 500) return undefined;
  if (error instanceof Error && error.name) return String(error.name);
  return statusCode === undefined ? ERROR_TYPE_VALUE_OTHER : String(statusCode);
}

/** The name of a request's span while its route is not known. */
export function spanNameOf(requestMethod: string): string {
  return knownMethods.has(requestMethod) ? requestMethod : 'HTTP';
}

/** The attributes that a request shares with few others. */
export function requestAttributes(requestMethod: string, url: string): Attributes {
  const originEnd = endOfOrigin(url);
  const { path, query } = targetOf(url, originEnd);
  const attributes: Attributes = { ...serverOf(url.slice(0, originEnd)), [ATTR_URL_PATH]: path };
  if (query !== '') attributes[ATTR_URL_QUERY] = query;
  if (!knownMethods.has(requestMethod)) attributes[ATTR_HTTP_REQUEST_METHOD_ORIGINAL] = requestMethod;
  return attributes;
}

/** The path of a `Request.url`. */
export function pathOf(url: string): string {
  return targetOf(url, endOfOrigin(url)).path;
}

/** Where the path begins: at 0 if the request named no host. */
function endOfOrigin(url: string): number {
  if (!url.startsWith('http://') && !url.startsWith('https://')) return 0;
  const end = url.indexOf('/', 8);
  return end === -1 ? url.length : end;
}

/** Path and query, with credentials redacted. */
function targetOf(url: string, start: number): { path: string; query: string } {
  const fragmentStart = url.indexOf('#', start);
  const end = fragmentStart === -1 ? url.length : fragmentStart;
  const questionMark = url.indexOf('?', start);
  if (questionMark === -1 || questionMark > end) return { path: url.slice(start, end), query: '' };
  const query = url.slice(questionMark + 1, end).replace(secretParameters, '$1$2=REDACTED');
  return { path: url.slice(start, questionMark), query };
}

/** Nearly all requests name the same host. */
let lastServer: { origin: string; attributes: Attributes } = { origin: '', attributes: {} };

function serverOf(origin: string): Attributes {
  if (lastServer.origin === origin) return lastServer.attributes;
  const [, scheme, ipv6, host, port] = originPattern.exec(origin) ?? [];
  const address = ipv6 || host;
  const attributes = address && {
    [ATTR_SERVER_ADDRESS]: address,
    [ATTR_SERVER_PORT]: Number(port) || (scheme === 'https' ? 443 : 80),
  };
  lastServer = { origin, attributes: attributes || {} };
  return lastServer.attributes;
}
