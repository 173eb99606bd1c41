// The stable semantic conventions for HTTP servers: what spans and metrics say about a request and its response.

import type { Attributes } from '@opentelemetry/api';
import * as semconv from '@opentelemetry/semantic-conventions';

const otherMethod = '_OTHER';
const knownMethods = new Set(
  process.env.OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS?.split(',') ??
    'GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH,QUERY'.split(','),
);

/** Query parameters whose values are credentials. The conventions want them redacted. */
const secretParameters = /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature)=[^&]*/g;

/** A method and a route. */
export interface Endpoint {
  /** A known method, or `_OTHER`. */
  readonly method: string;
  /** The path pattern as it was given to Hono, with base paths. Undefined if no route matched. */
  readonly route: string | undefined;
  readonly spanName: string;
}

/** Makes each endpoint once, so that `===` tells if two requests have the same one. */
export class Endpoints {
  private readonly byMethod = new Map<string, Map<string | undefined, Endpoint>>();

  of(requestMethod: string, route: string | undefined): Endpoint {
    return this.byMethod.get(requestMethod)?.get(route) ?? this.add(requestMethod, route);
  }

  private add(requestMethod: string, route: string | undefined): Endpoint {
    const method = knownMethods.has(requestMethod) ? requestMethod : otherMethod;
    const routes = this.byMethod.get(method) ?? new Map<string | undefined, Endpoint>();
    this.byMethod.set(method, routes);
    const existing = routes.get(route);
    if (existing !== undefined) return existing;
    const verb = method === otherMethod ? 'HTTP' : method;
    const endpoint = { method, route, spanName: route === undefined ? verb : `${verb} ${route}` };
    routes.set(route, endpoint);
    return endpoint;
  }
}

/** How a request ended. */
export interface Outcome {
  readonly endpoint: Endpoint;
  readonly scheme: 'http' | 'https';
  /** Undefined if the app threw, so that the server makes the response. */
  readonly statusCode: number | undefined;
  /** Set for 5xx and if the app threw: the name of the exception, or the status code if there is no exception. */
  readonly errorType: string | undefined;
}

export function outcomeOf(endpoint: Endpoint, url: string, statusCode: number | undefined, error: unknown): Outcome {
  return { endpoint, scheme: schemeOf(url), statusCode, errorType: errorTypeOf(statusCode, error) };
}

function schemeOf(url: string): 'http' | 'https' {
  return url.startsWith('https:') ? 'https' : 'http';
}

function errorTypeOf(statusCode: number | undefined, error: unknown): string | undefined {
  if (statusCode !== undefined && statusCode < 500) return undefined;
  if (error instanceof Error) return error.name;
  return statusCode === undefined ? otherMethod : String(statusCode);
}

/** The attributes of a SERVER span. `outcome` is undefined while the request is being answered. */
export function spanAttributes(requestMethod: string, url: string, outcome: Outcome | undefined): Attributes {
  const isKnown = knownMethods.has(requestMethod);
  const scheme = schemeOf(url);
  const { address, port, path, query } = partsOf(url);
  const attributes: Attributes = {
    [semconv.ATTR_HTTP_REQUEST_METHOD]: isKnown ? requestMethod : otherMethod,
    [semconv.ATTR_URL_SCHEME]: scheme,
    [semconv.ATTR_URL_PATH]: path,
  };
  if (address !== '') {
    attributes[semconv.ATTR_SERVER_ADDRESS] = address;
    attributes[semconv.ATTR_SERVER_PORT] = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  }
  if (!isKnown) attributes[semconv.ATTR_HTTP_REQUEST_METHOD_ORIGINAL] = requestMethod;
  if (query !== '') attributes[semconv.ATTR_URL_QUERY] = query;
  return outcome === undefined ? attributes : addOutcome(attributes, outcome);
}

/** The attributes of a duration in the histogram. */
export function metricAttributes(outcome: Outcome): Attributes {
  const { endpoint, scheme } = outcome;
  return addOutcome(
    { [semconv.ATTR_HTTP_REQUEST_METHOD]: endpoint.method, [semconv.ATTR_URL_SCHEME]: scheme },
    outcome,
  );
}

function addOutcome(attributes: Attributes, { endpoint, statusCode, errorType }: Outcome): Attributes {
  if (endpoint.route !== undefined) attributes[semconv.ATTR_HTTP_ROUTE] = endpoint.route;
  if (statusCode !== undefined) attributes[semconv.ATTR_HTTP_RESPONSE_STATUS_CODE] = statusCode;
  if (errorType !== undefined) attributes[semconv.ATTR_ERROR_TYPE] = errorType;
  return attributes;
}

/** Splits a `Request.url`. It is absolute, or only a path if the request named no host. */
export function partsOf(url: string): { address: string; port: string; path: string; query: string } {
  const hostStart = url.startsWith('/') ? 0 : url.indexOf('://') + 3;
  const pathStart = url.indexOf('/', hostStart);
  const authority = url.slice(hostStart, pathStart);
  const host = authority.slice(authority.lastIndexOf('@') + 1); // without a user's credentials
  const colon = host.indexOf(':', host.indexOf(']') + 1); // the colons of an IPv6 address are in brackets
  return {
    address: colon === -1 ? host : host.slice(0, colon),
    port: colon === -1 ? '' : host.slice(colon + 1),
    ...targetOf(url, pathStart),
  };
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
