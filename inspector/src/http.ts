// The stable semantic conventions for HTTP servers: what a span and a metric say about a request and its response.

import type { SpanContext } from '@opentelemetry/api';
import { type Attributes, type Context, SpanKind, SpanStatusCode } from '@opentelemetry/api';
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
} from '@opentelemetry/semantic-conventions';
import { RecordingSpan, type SpanOrigin } from './span.ts';

const knownMethods = new Set(
  process.env.OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS?.split(',') ??
    'GET,HEAD,POST,PUT,DELETE,CONNECT,OPTIONS,TRACE,PATCH,QUERY'.split(','),
);

/** Values of these query parameters are credentials, which the conventions want redacted. */
const secretParameters = /(^|&)(AWSAccessKeyId|Signature|sig|X-Goog-Signature)=[^&]*/g;

/** A method and a route: all that spans and metrics have in common over the requests to them. */
export interface Endpoint {
  /** A known method, or `_OTHER`. */
  readonly method: string;
  /** The path pattern as it was given to Hono, with base paths; undefined where no route matched. */
  readonly route: string | undefined;
  readonly spanName: string;
}

/** How a request ended. */
export interface Outcome {
  readonly scheme: 'http' | 'https';
  /** Undefined where the app threw and the server made the response. */
  readonly statusCode: number | undefined;
  /** For 5xx and throws: the exception's name where there is one, else the status code. */
  readonly errorType: string | undefined;
}

/** What is still being recorded of a request when its span has ended. */
export interface LateAttributes {
  /** Calls `handOver` with the attributes when they are complete, at once where they are. */
  whenComplete(handOver: (attributes: Attributes) => void): void;
}

/** Makes every endpoint once, so that they can be told apart by identity. */
export class Endpoints {
  private readonly routesOfMethod = new Map<string, Map<string | undefined, Endpoint>>();

  of(requestMethod: string, route: string | undefined): Endpoint {
    const endpoint = this.routesOfMethod.get(requestMethod)?.get(route);
    return endpoint ?? this.add(knownMethods.has(requestMethod) ? requestMethod : '_OTHER', route);
  }

  private add(method: string, route: string | undefined): Endpoint {
    const routes = this.routesOfMethod.get(method) ?? new Map<string | undefined, Endpoint>();
    this.routesOfMethod.set(method, routes);
    const existing = routes.get(route);
    if (existing !== undefined) return existing;
    const verb = method === '_OTHER' ? 'HTTP' : method;
    const endpoint = { method, route, spanName: route === undefined ? verb : `${verb} ${route}` };
    routes.set(route, endpoint);
    return endpoint;
  }
}

export function schemeOf(url: string): 'http' | 'https' {
  return url.startsWith('https:') ? 'https' : 'http';
}

export function errorTypeOf(statusCode: number | undefined, exception: unknown): string | undefined {
  if (exception instanceof Error) return exception.name;
  return statusCode === undefined ? '_OTHER' : String(statusCode);
}

/**
 * The SERVER span of one request. Holds on to the URL and not to the request; attributes are made when they are read.
 *
 * Left out of the recommended attributes, because each needs another header or a call to the server for each request:
 * `user_agent.original`, `client.address`, `network.peer.*`, `network.protocol.version`.
 */
export class ServerSpan extends RecordingSpan {
  private endpoint: Endpoint | undefined = undefined;
  private outcome: Outcome | undefined = undefined;
  private late: LateAttributes | undefined = undefined;
  private lateAttributes: Attributes | undefined = undefined;

  constructor(
    origin: SpanOrigin,
    parent: RecordingSpan | SpanContext | undefined,
    baseContext: Context | undefined,
    startMs: number,
    private readonly method: string,
    private readonly url: string,
  ) {
    super(origin, method, SpanKind.SERVER, parent, baseContext, startMs);
  }

  /** A value that a handler set wins over the one known from HTTP. */
  override get attributes(): Attributes {
    const { endpoint, outcome } = this;
    const attributes = requestAttributes(this.method, this.url);
    if (endpoint?.route !== undefined) attributes[ATTR_HTTP_ROUTE] = endpoint.route;
    if (outcome?.statusCode !== undefined) attributes[ATTR_HTTP_RESPONSE_STATUS_CODE] = outcome.statusCode;
    if (outcome?.errorType !== undefined) attributes[ATTR_ERROR_TYPE] = outcome.errorType;
    return Object.assign(attributes, this.lateAttributes, super.attributes);
  }

  /** The span ends when it ends, but isn't exported before `late` is complete. */
  waitFor(late: LateAttributes): void {
    this.late = late;
  }

  protected override handOver(): void {
    if (this.late === undefined) {
      super.handOver();
      return;
    }
    this.late.whenComplete((attributes) => {
      this.lateAttributes = attributes;
      this.late = undefined; // it holds the request and what was read
      super.handOver();
    });
  }

  /** Ends the span at `nowMs` of the monotonic clock. 4xx answers are the client's fault and leave the status unset. */
  finish(endpoint: Endpoint, outcome: Outcome, nowMs: number): void {
    this.endpoint = endpoint;
    this.outcome = outcome;
    if (this.name === this.method) this.name = endpoint.spanName;
    if (outcome.errorType !== undefined && this.status.code === SpanStatusCode.UNSET) {
      this.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.endAt(nowMs);
  }
}

function requestAttributes(requestMethod: string, url: string): Attributes {
  const isKnown = knownMethods.has(requestMethod);
  const scheme = schemeOf(url);
  const { address, port, path, query } = partsOf(url);
  const attributes: Attributes = {
    [ATTR_HTTP_REQUEST_METHOD]: isKnown ? requestMethod : '_OTHER',
    [ATTR_URL_SCHEME]: scheme,
    [ATTR_URL_PATH]: path,
  };
  if (address !== '') {
    attributes[ATTR_SERVER_ADDRESS] = address;
    attributes[ATTR_SERVER_PORT] = port === '' ? (scheme === 'https' ? 443 : 80) : Number(port);
  }
  if (!isKnown) attributes[ATTR_HTTP_REQUEST_METHOD_ORIGINAL] = requestMethod;
  if (query !== '') attributes[ATTR_URL_QUERY] = query.replace(secretParameters, '$1$2=REDACTED');
  return attributes;
}

/** Takes apart a `Request.url`: normalized and absolute, or from Bun a path alone where the request named no host. */
export function partsOf(url: string): { address: string; port: string; path: string; query: string } {
  const hostStart = url.startsWith('/') ? 0 : url.indexOf('://') + 3;
  const pathStart = url.indexOf('/', hostStart);
  const fragmentStart = url.indexOf('#', pathStart);
  const end = fragmentStart === -1 ? url.length : fragmentStart;
  const questionMark = url.indexOf('?', pathStart);
  const pathEnd = questionMark === -1 || questionMark > end ? end : questionMark;
  const authority = url.slice(hostStart, pathStart);
  const host = authority.slice(authority.lastIndexOf('@') + 1); // without a user's credentials
  const colon = host.indexOf(':', host.indexOf(']') + 1); // an IPv6 address has colons, in brackets
  return {
    address: colon === -1 ? host : host.slice(0, colon),
    port: colon === -1 ? '' : host.slice(colon + 1),
    path: url.slice(pathStart, pathEnd),
    query: url.slice(pathEnd + 1, end),
  };
}
