import type { SPAN_KINDS } from '../../suite/suite-schema.ts';

/** One way in which tracers send what they record. */
export interface Protocol {
  /** Matches method and path of its requests: `POST /v1/traces`. */
  requests: RegExp;
  /** Returns what a payload holds. @throws Error if the payload can't be read */
  decode(payload: Payload): DecodedPayload;
  /**
   * Returns the name of an encoded span, if that costs less than `spanOf`: under load, every span
   * is asked for it.
   */
  nameOf?(span: Json): string;
  /** Decodes one span. @throws Error if the span can't be read */
  spanOf(span: Json): ReceivedSpan;
}

/** What one request brought, decompressed. */
export interface Payload {
  /** What the request's URL has as its path. */
  path: string;
  /** Its parameters are left out: `application/json`. */
  mediaType: string;
  body: Uint8Array;
}

/**
 * What a payload holds. Spans stay encoded, and the rest waits for its call: whoever counts spans
 * decodes nothing else.
 */
export interface DecodedPayload {
  /** Encoded as the protocol has them; for its `spanOf`. */
  spans?: Json[];
  points?: () => ReceivedPoint[];
  /** The number of log records. */
  logRecords?: number;
  /** For each log record, whether it has a trace. */
  logs?: () => boolean[];
  /** The number of profiles of the process: where its time or memory went. */
  profiles?: number;
}

/** A span as it arrived. */
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
  /** How many values the histogram holds; of a sum or a gauge, its value. */
  count: number;
  /**
   * Identifies the resource that counts, and when it began to: with its process (cumulative), or
   * with the point before (delta).
   */
  series: string;
}

export type Attributes = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: a stranger may send anything.
export type Json = any;

/** Returns the JSON in a body. @throws Error if it holds none */
export function parseJson(body: Uint8Array): Json {
  return JSON.parse(new TextDecoder().decode(body));
}

/**
 * Returns a list of a message; an empty one if it is left out.
 * @throws Error if something else is there
 */
export function listIn(message: Json, name: string): Json[] {
  const list = message[name] ?? [];
  if (!Array.isArray(list)) throw new Error(`${name} is no list in a message`);
  return list;
}
