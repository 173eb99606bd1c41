import { z } from 'zod';
import { orUndefined } from '../words/errors.ts';

const isPattern = (text: string) => orUndefined(() => new RegExp(text)) !== undefined;
/** A value as it must be, or a regular expression that the text must match. */
const patternSchema = z.strictObject({
  pattern: z.string().refine(isPattern, 'is no regular expression'),
});
const attributeSchema = z.union([z.string(), z.number(), z.boolean(), patternSchema]);
const attributesSchema = z.record(z.string(), attributeSchema).default({});

export const SPAN_KINDS = [
  'UNSPECIFIED',
  'INTERNAL',
  'SERVER',
  'CLIENT',
  'PRODUCER',
  'CONSUMER',
] as const;

/** A span with those nested in it. It may have more attributes than are named here. */
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
  /** By how much a request raises it; 0 for what goes up and down. */
  perRequest: z.int().nonnegative().default(1),
});

/** What a scenario claims to record of each request: proven before it is measured, by receiving it. */
export const telemetrySchema = z.strictObject({
  /** The root of the one trace of each request; left out, there is no span at all. */
  span: spanSchema.optional(),
  /** The share of requests that have it, drawn at random. */
  sampled: z.number().min(0).max(1).default(1),
  /** Metrics that count each request once, by one data point for each set of attributes. No others may arrive. */
  metrics: z.array(metricSchema).default([]),
  /** How many log records each request leaves; left out, any may arrive. */
  logs: z.strictObject({ perRequest: z.int().nonnegative() }).optional(),
  /** Names of spans and metrics that may come once for each process: as it starts, or with its first request. */
  atStart: z.array(z.string()).default([]),
  /** Names of spans and metrics that may come in any number: heartbeats, gauges, what a runtime tells of itself. */
  ignore: z.array(z.union([z.string(), patternSchema])).default([]),
});

export type TelemetryInput = z.input<typeof telemetrySchema>;
export type SpanInput = z.input<typeof spanSchema>;
export type Telemetry = z.output<typeof telemetrySchema>;
export type ExpectedSpan = z.output<typeof spanSchema>;
export type ExpectedMetric = z.output<typeof metricSchema>;
/** A value of an attribute, or a pattern that its text must match. */
export type ExpectedValue = z.output<typeof attributeSchema>;
export type ExpectedAttributes = z.output<typeof attributesSchema>;
/** A name, or a pattern that names must match. */
export type NamePattern = Telemetry['ignore'][number];

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
