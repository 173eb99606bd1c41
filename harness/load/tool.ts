import type { Request } from '../exchange/request-schema.ts';
import type { Pinning } from '../machine/pinning.ts';
import type { Latency } from '../result/schema.ts';

/*
 * This room drives load tools, and reads what they print. A load goes in; answers, errors and latency come out, in the same
 * form for every tool. Load is never made by code of ours, and what a figure means belongs to `analysis/`.
 */

/** What is sent: at a steady rate, or in a closed loop, where each connection sends when it has its answer. */
export interface Load {
  /** Scheme, address and port: `http://127.0.0.1:3000`. */
  origin: string;
  /** A mix of them is sent at random, by weight. */
  requests: (Request & { weight: number })[];
  connections: number;
  durationSeconds: number;
  /** Requests a second; undefined for as many as are answered. */
  rate?: number | undefined;
}

/** What some load tools can't do, as messages name it. Those without a Host header connect to whatever it names. */
export type Need = 'mix of requests' | 'steady rate' | 'load host' | 'Host header';

/** One load tool: how it is told apart, how it is called, and how its output reads. */
export interface LoadTool {
  name: string;
  /** Finds the version in what `--version` prints; finds nothing in that of another program of the same name. */
  version: RegExp;
  lacks: Need[];
  /** Of tracetax, that its arguments name. */
  files?: string[];
  /** For a shell, in place of the tool alone: `$0` is the tool, and its arguments follow. */
  script?: string;
  /** At a steady rate: from when a request was due, with whatever made it wait, or sent; null if it has no rate. */
  latencyFrom: 'due' | 'sent' | null;
  /** The arguments for this load; `cores` is the number of cores it may use. */
  argv(load: Load, cores: number): string[];
  /** Reads what it printed to stdout. @throws Error (ZodError, SyntaxError) if the tool prints no such thing. */
  parse(stdout: string): Report;
  /** Has a service make the load, in place of a command. It is taken only if the user names it. @throws Problem if it can't */
  run?(path: string, load: Load, pinning: Pinning | undefined): Promise<Report>;
}

/** What a load tool tells about one run. */
export interface Report {
  seconds: number;
  /** Answers by status, or by class of status such as `2xx`. */
  statuses: Record<string, number>;
  /** Requests that had no answer, by the reason in the tool's own words. */
  failures: Record<string, number>;
  latencyUs: Latency | null;
  /** Sent and not yet answered when the time was up, if the tool tells. */
  underWay?: number;
  /** What made the load used on this machine, and how often its threads slept; null if nothing tells. */
  used?: { cpuNs: number; sleeps: number | null };
}

/** How long a tool waits for an answer, and for that to a file: tools would wait 2 s by themselves. */
export const ANSWER_WITHIN_SECONDS = 10;
export const UPLOAD_WITHIN_SECONDS = 60;

export function answerWithin({ requests }: Load): number {
  return requests.some(({ bodyFile }) => bodyFile !== undefined)
    ? UPLOAD_WITHIN_SECONDS
    : ANSWER_WITHIN_SECONDS;
}

/** The one request of a load, for tools that can send but one. */
export const onlyRequest = ({ requests: [first] }: Load) => first as Request;

/** For tools that would ask for a compressed answer. */
export const UNPACKED = { 'Accept-Encoding': 'identity' };

/**
 * Headers for tools that tell names apart by case: beside a `host`, they would send their own. `defaults`: what is sent
 * unless the suite has a header of that name.
 */
export function namedHeaders(
  headers: Request['headers'],
  defaults: Request['headers'] = {},
): Request['headers'] {
  const own = Object.entries(headers).map(
    ([name, value]) => [/^host$/i.test(name) ? 'Host' : name, value] as const,
  );
  const isOwn = (name: string) => own.some(([each]) => each.toLowerCase() === name.toLowerCase());
  return Object.fromEntries([...Object.entries(defaults).filter(([name]) => !isOwn(name)), ...own]);
}

/** The options that describe a load of one request; `names` are those in which tools differ. */
export function loadOptions(
  load: Load,
  names: Record<'duration' | 'rate' | 'body' | 'bodyFile', string>,
): string[] {
  const { method, headers, body, bodyFile } = onlyRequest(load);
  return [
    ...['-c', String(load.connections), names.duration, `${load.durationSeconds}s`],
    ...(load.rate === undefined ? [] : [names.rate, String(load.rate)]),
    ...(method === 'GET' ? [] : ['-m', method]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    // In one word: a body may begin with a dash, as that of a form with files does.
    ...(body === undefined ? [] : [`${names.body}=${body}`]),
    ...(bodyFile === undefined ? [] : [names.bodyFile, bodyFile]),
  ];
}
