import { z } from 'zod';
import { orUndefined } from '../words/errors.ts';

export const SPAN_KINDS = [
  'UNSPECIFIED',
  'INTERNAL',
  'SERVER',
  'CLIENT',
  'PRODUCER',
  'CONSUMER',
] as const;

/** What a scenario claims to record of each request. It is proven before it is measured. */
export interface Telemetry {
  /** The root of the one trace of each request; undefined if there is no span at all. */
  span?: ExpectedSpan | undefined;
  /** The share of requests that have that trace, drawn at random. */
  sampled: number;
  /** No other metrics may arrive. */
  metrics: ExpectedMetric[];
  /** Undefined if any number of log records may arrive. */
  logs?: ExpectedLogs | undefined;
  /** Whether the server also sends profiles of itself, by the clock; else none may arrive. */
  profiles: boolean;
  /** Names of spans and metrics that may come once for each process, as it starts or later. */
  atStart: string[];
  /** Names of spans and metrics that may come in any number, such as heartbeats and gauges. */
  ignore: NamePattern[];
}

/** A span with those nested in it. */
export interface ExpectedSpan {
  name: string;
  kind: (typeof SPAN_KINDS)[number];
  attributes: ExpectedAttributes;
  children: ExpectedSpan[];
}

/** A metric that counts requests, by one data point for each set of attributes. */
export interface ExpectedMetric {
  name: string;
  attributes: ExpectedAttributes;
  /** By how much a request raises it; 0 for what goes up and down. */
  perRequest: number;
}

export interface ExpectedLogs {
  /** The number of log records that a request leaves. */
  perRequest: number;
}

/** A regular expression that a text must match. */
export interface TextPattern {
  pattern: string;
}

/** A name, or a pattern that names must match. */
export type NamePattern = string | TextPattern;

/** A value of an attribute, or a pattern that its text must match. */
export type ExpectedValue = string | number | boolean | TextPattern;

/** What is received may have more attributes than these. */
export type ExpectedAttributes = Record<string, ExpectedValue>;

/** A claim as a suite file writes it. */
export type TelemetryInput = z.input<typeof telemetrySchema>;
export type SpanInput = z.input<typeof spanSchema>;

const patternSchema = z.strictObject({
  pattern: z.string().refine(isRegularExpression, 'is no regular expression'),
});

const valueSchema = z.union([z.string(), z.number(), z.boolean(), patternSchema]);

const attributesSchema = z.record(z.string(), valueSchema).default({});

const spanSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(SPAN_KINDS).default('INTERNAL'),
  attributes: attributesSchema,
  get children() {
    return z.array(spanSchema).default([]);
  },
});

const metricSchema = z.strictObject({
  name: z.string(),
  attributes: attributesSchema,
  perRequest: z.int().nonnegative().default(1),
});

export const telemetrySchema = z.strictObject({
  span: spanSchema.optional(),
  sampled: z.number().min(0).max(1).default(1),
  metrics: z.array(metricSchema).default([]),
  logs: z.strictObject({ perRequest: z.int().nonnegative() }).optional(),
  profiles: z.boolean().default(false),
  atStart: z.array(z.string()).default([]),
  ignore: z.array(z.union([z.string(), patternSchema])).default([]),
});

function isRegularExpression(text: string): boolean {
  return orUndefined(() => new RegExp(text)) !== undefined;
}

/** Returns a span and all that are nested in it, parents before their children. */
export function flattenSpan<Span extends { children: Span[] }>(span: Span): Span[] {
  return [span, ...span.children.flatMap((child) => flattenSpan(child))];
}

/** Whether the received value is the expected one, or a text that matches the expected pattern. */
export function matchesValue(expected: ExpectedValue | undefined, received: unknown): boolean {
  if (typeof expected !== 'object') return expected === received;
  return typeof received === 'string' && new RegExp(expected.pattern, 's').test(received);
}

/** Whether the name is one of these, or matches one of their patterns. */
export function matchesAnyName(patterns: NamePattern[], name: string): boolean {
  return patterns.some((pattern) => matchesValue(pattern, name));
}

/** Returns the names of spans and metrics that a server may send without a request. */
export function namesWithoutRequest(claims: (Telemetry | undefined)[]): NamePattern[] {
  return claims.flatMap((claim) => [...(claim?.atStart ?? []), ...(claim?.ignore ?? [])]);
}
