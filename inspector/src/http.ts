// The stable semantic conventions for HTTP servers: what spans and metrics say about a request and
// its response.

import type { Attributes } from '@opentelemetry/api';
import * as conventions from '@opentelemetry/semantic-conventions';

const {
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_URL_SCHEME,
} = conventions;

const defaultMethods = 'GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH,QUERY';
const methods = process.env.OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS || defaultMethods;
const knownMethods = new Set(methods.split(',').map((method) => method.trim()));

/** Query parameters whose values are credentials. The conventions want them redacted. */
const secretParameters =
  /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature|X-Amz-(?:Signature|Credential|Security-Token))=[^&]*/g;

/**
 * Scheme, IPv6 address or host, and port. The URL of a request that names no host has none of them.
 */
const originPattern = /^(?:(https?):\/\/(?:[^/@]*@)?(?:\[([^/]*)\]|([^/:]*))(?::(\d*))?(?=\/|$))?/;

/** What the last request had, which the next one mostly has, too. */
let last = { method: '', origin: '', attributes: {} as Attributes };

/**
 * The name of a span while its route is not known, and an attribute unless another one is given.
 */
export function verbOf({ method }: Request, unknown = 'HTTP'): string {
  return knownMethods.has(method) ? method : unknown;
}

/** Returns what a span says from its start, so that samplers know it. */
export function startAttributes(request: Request): Attributes {
  const { method, url } = request;
  if (method !== last.method || url[last.origin.length] !== '/' || !url.startsWith(last.origin))
    last = { method, ...originOf(request) };
  const target = url.slice(last.origin.length, url.includes('#') ? url.indexOf('#') : url.length);
  const mark = target.indexOf('?');
  const attributes: Attributes = {
    ...last.attributes,
    [conventions.ATTR_URL_PATH]: mark < 0 ? target : target.slice(0, mark),
  };
  const query = mark < 0 ? '' : target.slice(mark + 1);
  if (query)
    attributes[conventions.ATTR_URL_QUERY] = query.replace(secretParameters, '$1$2=REDACTED');
  return attributes;
}

function originOf(request: Request) {
  const [origin, scheme, ipv6, host, port] = originPattern.exec(request.url) as RegExpExecArray;
  const attributes = sharedAttributes(request);
  if (!knownMethods.has(request.method))
    attributes[conventions.ATTR_HTTP_REQUEST_METHOD_ORIGINAL] = request.method;
  const address = ipv6 || host;
  if (!address) return { origin, attributes };
  attributes[conventions.ATTR_SERVER_ADDRESS] = address;
  attributes[conventions.ATTR_SERVER_PORT] = Number(port) || (scheme === 'https' ? 443 : 80);
  return { origin, attributes };
}

function sharedAttributes(request: Request): Attributes {
  return {
    [ATTR_HTTP_REQUEST_METHOD]: verbOf(request, conventions.HTTP_REQUEST_METHOD_VALUE_OTHER),
    [ATTR_URL_SCHEME]: request.url.startsWith('https:') ? 'https' : 'http',
  };
}

/**
 * Returns the attributes of a duration. Without a status code, the app threw, and the server makes
 * the response.
 */
export function endAttributes(
  request: Request,
  route?: string,
  statusCode?: number,
  error?: unknown,
): Attributes {
  const attributes = sharedAttributes(request);
  if (route !== undefined) attributes[conventions.ATTR_HTTP_ROUTE] = route;
  if (statusCode !== undefined) attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = statusCode;
  if (statusCode !== undefined && statusCode < 500) return attributes;
  const errorType = error instanceof Error ? typeOf(error) : undefined;
  attributes[ATTR_ERROR_TYPE] =
    errorType || String(statusCode ?? conventions.ERROR_TYPE_VALUE_OTHER);
  return attributes;
}

/**
 * Returns the name of an exception. A class that sets none, as Hono's `HTTPException`, has one
 * itself.
 */
export function typeOf(error: Error): string {
  return error.name === 'Error' ? error.constructor.name : String(error.name);
}
