import { z } from 'zod';
import type { Request } from '../suite/schema.ts';

export const TOOL_NAMES = ['bombardier', 'wrk', 'oha', 'autocannon'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What is sent: a closed loop, in which each connection sends its next request when it has its answer. */
export interface Load {
  url: string;
  request: Request;
  connections: number;
  durationSeconds: number;
}

export const errorCountSchema = z.object({
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
