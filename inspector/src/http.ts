// The stable semantic conventions for HTTP servers: what spans and metrics say about a request and its response.

import type { Attributes } from '@opentelemetry/api';
import * as conventions from '@opentelemetry/semantic-conventions';

const { ATTR_ERROR_TYPE, ATTR_HTTP_REQUEST_METHOD, ATTR_HTTP_RESPONSE_STATUS_CODE, ATTR_URL_SCHEME } = conventions;

const defaultMethods = 'GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH,QUERY';
const methods = process.env.OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS || defaultMethods;
const knownMethods = new Set(methods.split(',').map((method) => method.trim()));

/** Query parameters whose values are credentials. The conventions want them redacted. */
const secretParameters =
  /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature|X-Amz-(?:Signature|Credential|Security-Token))=[^&]*/g;

/** Scheme, IPv6 address or host, port, path and query. A request that names no host has a path, and maybe a query. */
const urlPattern = /^(?:(https?):\/\/(?:[^/@]*@)?(?:\[([^/]*)\]|([^/:]*))(?::(\d*))?(?=\/|$))?([^?#]*)(?:\?([^#]*))?/;

/** So many outcomes of a route are kept. */
const outcomeLimit = 100;

const sharedByRoute = new Map<string | undefined, Attributes[]>();

/** The name of a span while its route is not known. */
export function verbOf({ method }: Request): string {
  return knownMethods.has(method) ? method : 'HTTP';
}

/**
 * Returns the attributes that spans and durations have in common. They are made once for all requests that end alike.
 * Without a status code, the app threw, and the server makes the response.
 */
export function sharedAttributes(request: Request, route?: string, statusCode?: number, error?: unknown): Attributes {
  const method = knownMethods.has(request.method) ? request.method : conventions.HTTP_REQUEST_METHOD_VALUE_OTHER;
  const scheme = request.url.startsWith('https:') ? 'https' : 'http';
  const errorType = errorTypeOf(statusCode, error);
  const made = sharedByRoute.get(route) ?? [];
  for (const known of made) {
    const isAlike = known[ATTR_HTTP_RESPONSE_STATUS_CODE] === statusCode && known[ATTR_ERROR_TYPE] === errorType;
    if (isAlike && known[ATTR_HTTP_REQUEST_METHOD] === method && known[ATTR_URL_SCHEME] === scheme) return known;
  }
  const attributes: Attributes = { [ATTR_HTTP_REQUEST_METHOD]: method, [ATTR_URL_SCHEME]: scheme };
  if (route !== undefined) attributes[conventions.ATTR_HTTP_ROUTE] = route;
  if (statusCode !== undefined) attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = statusCode;
  if (errorType !== undefined) attributes[ATTR_ERROR_TYPE] = errorType;
  if (made.length < outcomeLimit) sharedByRoute.set(route, [...made, attributes]);
  return attributes;
}

/** Set for 5xx and if the app threw: the name of the exception, or the status code if there is none. */
function errorTypeOf(statusCode: number | undefined, error: unknown): string | undefined {
  if (statusCode !== undefined && statusCode < 500) return undefined;
  if (error instanceof Error && error.name) return String(error.name);
  return statusCode === undefined ? conventions.ERROR_TYPE_VALUE_OTHER : String(statusCode);
}

/** Returns the attributes of a span that are its own. */
export function ownAttributes({ method, url }: Request): Attributes {
  const [, scheme, ipv6, host, port, path, query] = urlPattern.exec(url) ?? [];
  const address = ipv6 || host || undefined;
  return {
    [conventions.ATTR_URL_PATH]: path,
    [conventions.ATTR_URL_QUERY]: query?.replace(secretParameters, '$1$2=REDACTED') || undefined,
    [conventions.ATTR_SERVER_ADDRESS]: address,
    [conventions.ATTR_SERVER_PORT]: address && (Number(port) || (scheme === 'https' ? 443 : 80)),
    [conventions.ATTR_HTTP_REQUEST_METHOD_ORIGINAL]: knownMethods.has(method) ? undefined : method,
  };
}

/** Returns the path of a `Request.url`. */
export function pathOf(url: string): string {
  return urlPattern.exec(url)?.[5] ?? '';
}
