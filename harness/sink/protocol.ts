import type { SPAN_KINDS } from '../suite/suite-schema.ts';

/** One way in which tracers send what they record. */
export interface Protocol {
  /** Matches method and path of its requests: `POST /v1/traces`. */
  requests: RegExp;
  /** What a payload holds; `logs`: of each record, whether it has a trace. Who counts spans decodes none. @throws Error if it can't be read. */
  decode(payload: Payload): {
    spans?: Json[];
    points?: () => ReceivedPoint[];
    logs?: () => boolean[];
  };
  /** The name of one of these spans, if that is cheaper: under load, it is that of each span. */
  nameOf?(span: Json): string;
  /** One of these spans. @throws Error if it can't be read. */
  spanOf(span: Json): ReceivedSpan;
}

/** What one request brought, unpacked. */
export interface Payload {
  path: string;
  /** Without parameters: `application/json`. */
  mediaType: string;
  body: Uint8Array;
}

export interface ReceivedSpan {
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
  /** How many values the histogram holds; of a sum, its value. */
  count: number;
  /** Whose it is, and when it began to count: with the process (cumulative), or with the point before (delta). */
  series: string;
}

export type Attributes = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: what a stranger sends has any shape; what is read of it is checked by use.
export type Json = any;

/** @throws Error if it is no JSON. */
export function parseJson(body: Uint8Array): Json {
  return JSON.parse(new TextDecoder().decode(body));
}

/** A list that may be left out. @throws Error if something else is there. */
export function listIn(message: Json, name: string): Json[] {
  const list = message[name] ?? [];
  if (!Array.isArray(list)) throw new Error(`${name} is no list in a message`);
  return list;
}
