import { z } from 'zod';
import type { Request } from '../suite/schema.ts';

export const TOOL_NAMES = ['bombardier', 'wrk', 'oha', 'autocannon'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What is sent: a closed loop, in which each connection sends its next request when it has its answer. */
export interface Load {
  /** Scheme, address and port: `http://127.0.0.1:3000`. */
  origin: string;
  /** One, or a mix: sent at random, by weight. */
  requests: WeightedRequest[];
  connections: number;
  durationSeconds: number;
  /** In place of the duration. */
  requestCount?: number;
}

export interface WeightedRequest extends Request {
  weight: number;
}

/** The request and its URL, for tools that can send but one. */
export function onlyRequest({ origin, requests }: Load): Request & { url: string } {
  const [first] = requests;
  if (!first || requests.length > 1) throw new Error('a mix for a tool that can send one request only');
  return { ...first, url: origin + first.path };
}

const errorCountSchema = z.object({
  kind: z.enum(['refused', 'timeout', 'status', 'other']),
  /** In the load tool's own words. */
  detail: z.string(),
  count: z.number(),
});

/** Times from request to answer in µs as the load tool saw them; null where it does not report one. */
export const latencySchema = z.object({
  mean: z.number(),
  p50: z.number().nullable(),
  p75: z.number().nullable(),
  p90: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
});

export const loadResultSchema = z.object({
  /** Requests that were answered, with whatever status. */
  requests: z.number(),
  /** The time in which they were, in seconds, by the load tool's clock. */
  seconds: z.number(),
  /** Empty for a good measurement. */
  errors: z.array(errorCountSchema),
  /** Null where nothing was answered. */
  latencyUs: latencySchema.nullable(),
  /** Answers by latency, in buckets of twice the latency each, empty ones left out; where the tool tells. */
  histogram: z.array(z.object({ upToUs: z.number(), count: z.number() })).optional(),
  /** The load tool's own statistics block, to be read by people. */
  statistics: z.string(),
});

export type ErrorCount = z.output<typeof errorCountSchema>;
export type Latency = z.output<typeof latencySchema>;
export type LoadResult = z.output<typeof loadResultSchema>;

/** One load tool: how it is told apart, how it is called, and how its output reads. */
export interface LoadTool {
  name: ToolName;
  /** Arguments that make it print its version. */
  versionArgv: string[];
  /** The version, or undefined where the output is of another program of the same name. */
  identify(versionOutput: string): string | undefined;
  /** Whether it can send more than one request, and whether it can stop after so many. */
  can: { mix: boolean; count: boolean };
  /** The arguments for this load; `threads` is the number of cores it may use. */
  argv(load: Load, threads: number): string[];
  /**
   * Reads what it printed to stdout.
   * @throws Error (also ZodError, SyntaxError) where that is not what the tool prints.
   */
  parse(stdout: string): LoadResult;
  /** Where it ends with an error because nobody listens: how it says so. */
  refusal?: RegExp;
}

/** The kind of an error, from the words in which tools and systems name it. */
export function errorKind(detail: string): ErrorCount['kind'] {
  if (/refused/i.test(detail)) return 'refused';
  if (/time[d ]?\s?-?out/i.test(detail)) return 'timeout';
  return 'other';
}

/** Answers outside 2xx as error counts, from a count for each status or class of status. */
export function statusErrors(counts: Record<string, number>): ErrorCount[] {
  return Object.entries(counts)
    .filter(([status, count]) => !status.startsWith('2') && count > 0)
    .map(([status, count]) => ({ kind: 'status', detail: `status ${status}`, count }));
}
