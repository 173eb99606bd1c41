import type { ErrorCount, Loaded } from '../result/schema.ts';
import type { Request } from '../suite/suite-schema.ts';

/** In the order of preference. */
export const TOOL_NAMES = ['bombardier', 'wrk', 'oha'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** What is sent: a closed loop, in which each connection sends its next request when it has its answer. */
export interface Load {
  /** Scheme, address and port: `http://127.0.0.1:3000`. */
  origin: string;
  /** One, or a mix: sent at random, by weight. */
  requests: WeightedRequest[];
  connections: number;
  durationSeconds: number;
  /** Requests a second; undefined for as many as are answered. */
  rate?: number | undefined;
}

export interface WeightedRequest extends Request {
  weight: number;
}

/** What a load tool reports of one run. */
export type LoadResult = Pick<Loaded, 'requests' | 'seconds' | 'errors' | 'latencyUs'>;

/** One load tool: how it is told apart, how it is called, and how its output reads. */
export interface LoadTool {
  name: ToolName;
  /** Arguments that make it print its version. */
  versionArgv: string[];
  /** The version, or undefined if the output is of another program of the same name. */
  identify(versionOutput: string): string | undefined;
  /** Whether it can send more than one request, and whether it can send at a steady rate. */
  canMix: boolean;
  canPace: boolean;
  /** How many connections it really opens if asked for so many, with so many cores. */
  opened(connections: number, cores: number): number;
  /** The arguments for this load; `cores` is the number of cores it may use. */
  argv(load: Load, cores: number): string[];
  /**
   * Reads what it printed to stdout.
   * @throws Error (also ZodError, SyntaxError) if that is not what the tool prints.
   */
  parse(stdout: string): LoadResult;
  /** How it says that nobody listens, if it ends with an error then. */
  refusal?: RegExp;
}

/** The request and its URL, for tools that can send but one. */
export function onlyRequest({ origin, requests }: Load): Request & { url: string } {
  const [first] = requests;
  if (!first || requests.length > 1) throw new Error('a mix for a tool that can send one request only');
  return { ...first, url: origin + first.path };
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

/** The sum of the counts. */
export function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
