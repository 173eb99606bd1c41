import type { SPAN_KINDS } from '../suite/suite-schema.ts';

/** One way in which tracers send what they record. */
export interface Protocol {
  /** Matches method and path of its requests: `POST /v1/traces`. */
  requests: RegExp;
  /** How many spans there are, if that takes less than to decode them. @throws Error if the payload can't be read. */
  count?(payload: Payload): number;
  /** All that a proof needs. @throws Error if the payload can't be read. */
  decode(payload: Payload): { spans?: ReceivedSpan[]; points?: ReceivedPoint[] };
}

/** What one request brought, unpacked. */
export interface Payload {
  path: string;
  /** Without parameters: `application/json`. */
  mediaType: string;
  body: Uint8Array;
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Undefined for the root of a trace. */
  parentSpanId: string | undefined;
  name: string;
  kind: (typeof SPAN_KINDS)[number];
  attributes: Attributes;
}

/** A data point of a histogram, a sum or a gauge. */
export interface ReceivedPoint {
  metric: string;
  attributes: Attributes;
  /** Of the process that sent it. */
  resource: Attributes;
  /** How many values the histogram holds; of a sum, its value. */
  count: number;
  /** Whether it counts since the point before (delta), or since the process started (cumulative). */
  isDelta: boolean;
}

export type Attributes = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: what a stranger sends has any shape; what is read of it is checked by use.
export type Json = any;

/** @throws Error if it is no JSON. */
export function parseJson(body: Uint8Array): Json {
  return JSON.parse(new TextDecoder().decode(body));
}
