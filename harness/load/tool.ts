import type { Request } from '../exchange/request-schema.ts';
import type { Pinning } from '../machine/pinning.ts';
import type { Latency } from '../result/schema.ts';

/*
 * This room drives load tools, and reads what they print. A load goes in; answers, errors and
 * latency come out, in the same form for every tool. Load is never made by code of ours, and what a
 * figure means belongs to `analysis/`.
 */

/** A request, and how often it is sent among others. */
export type WeightedRequest = Request & { weight: number };

/**
 * What is sent: at a steady rate, or in a closed loop, where a connection sends once it has an
 * answer.
 */
export interface Load {
  /** Scheme, address and port: `http://127.0.0.1:3000`. */
  origin: string;
  /** A mix of them is sent at random, by weight. */
  requests: WeightedRequest[];
  connections: number;
  durationSeconds: number;
  /** Requests a second; undefined for as many as are answered. */
  rate?: number | undefined;
}

/**
 * What some load tools can't do, as messages name it. A tool without a Host header connects to
 * whatever that header names.
 */
export type Need = 'mix of requests' | 'steady rate' | 'load host' | 'Host header';

/** One load tool: how it is recognised, how it is called, and how its output is parsed. */
export interface LoadTool {
  name: string;
  /** Matches the version in what `--version` prints, and nothing that another program prints. */
  version: RegExp;
  lacks: Need[];
  /**
   * Returns whether the tool takes an interim answer with this status, such as 103, for the answer.
   * Left out, it waits for the one that follows.
   */
  mistakesInterim?(status: number): boolean;
  /**
   * Whether the tool may open more connections than it was given, even if the server keeps them.
   */
  opensMore?: true;
  /** Whether the tool ends only once all requests are answered, however late. */
  waitsForAnswers?: true;
  /** Files of tracetax that the tool's arguments name. */
  files?: string[];
  /**
   * A script for `sh -c` in place of the tool alone: `$0` is the tool, and its arguments follow.
   */
  script?: string;
  /**
   * From when the tool counts latency at a steady rate: from when a request was due, with whatever
   * made it wait, or from when it was sent. Null if the tool has no rate.
   */
  latencyFrom: 'due' | 'sent' | null;
  /** Returns the arguments for this load; `cores` is the number of cores that the tool may use. */
  argv(load: Load, cores: number): string[];
  /**
   * Parses what the tool printed to stdout.
   * @throws Error (ZodError, SyntaxError) if it is no report of this tool
   */
  parse(stdout: string): Report;
  /**
   * Lets a service make the load, in place of a command. A tool with this is taken only if the user
   * names it.
   * @throws Problem if the service can't make the load
   */
  run?(path: string, load: Load, pinning: Pinning | undefined): Promise<Report>;
}

/**
 * Why a load tool told of no request. `load-tool-failed`: the tool itself failed, or its host, and
 * its words are of no connection to a server. `answer-missing`: it was ended while it waited for an
 * answer, and nobody knows how many others came.
 */
export type LoadFailure = 'load-tool-failed' | 'answer-missing';

/** What a load tool reports of one load. */
export interface Report {
  /** How long the load took. */
  seconds: number;
  /** Answers by status, or by class of status such as `2xx`. */
  statuses: Record<string, number>;
  /** Requests that had no answer, by the reason in the tool's own words. */
  failures: Record<string, number>;
  /** Set if the tool told of no request, and why that is. */
  failedAs?: LoadFailure;
  latencyUs: Latency | null;
  /** Requests that were sent and not yet answered when the time was up, if the tool counts them. */
  underWay?: number;
  /** What the tool used on this machine, and how often its threads slept; null if nothing tells. */
  used?: { cpuNs: number; sleeps: number | null };
}

/** The names of options in which tools differ. */
export interface OptionNames {
  duration: string;
  rate: string;
  body: string;
  bodyFile: string;
}

/** How long a tool waits for an answer; tools would wait 2 s by themselves. */
export const ANSWER_WITHIN_SECONDS = 10;
/** How long a tool waits for the answer to a file. */
export const UPLOAD_WITHIN_SECONDS = 60;

/** Returns how many seconds a tool waits for an answer under this load. */
export function answerWithinSeconds({ requests }: Load): number {
  const sendsFile = requests.some(({ bodyFile }) => bodyFile !== undefined);
  return sendsFile ? UPLOAD_WITHIN_SECONDS : ANSWER_WITHIN_SECONDS;
}

/** Returns the one request of a load, for tools that can send but one. */
export function onlyRequest({ requests: [first] }: Load): WeightedRequest {
  return first as WeightedRequest;
}

/** Headers for tools that would ask for a compressed answer by themselves. */
export const UNPACKED = { 'Accept-Encoding': 'identity' };

/**
 * Returns headers for tools that compare names by case: beside a `host`, such a tool would send its
 * own `Host`.
 * @param defaults what is sent unless the suite has a header of that name
 */
export function namedHeaders(
  headers: Request['headers'],
  defaults: Request['headers'] = {},
): Request['headers'] {
  const named = Object.entries(headers).map(([name, value]) => [
    /^host$/i.test(name) ? 'Host' : name,
    value,
  ]);
  const lowerCaseNames = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = Object.entries(defaults).filter(
    ([name]) => !lowerCaseNames.has(name.toLowerCase()),
  );
  return Object.fromEntries([...added, ...named]);
}

/** Returns the options that describe a load of one request, for tools that have most in common. */
export function loadOptions(load: Load, names: OptionNames): string[] {
  const { method, headers, body, bodyFile } = onlyRequest(load);
  const options = ['-c', String(load.connections), names.duration, `${load.durationSeconds}s`];
  if (load.rate !== undefined) options.push(names.rate, String(load.rate));
  if (method !== 'GET') options.push('-m', method);
  for (const [name, value] of Object.entries(headers)) options.push('-H', `${name}: ${value}`);
  // The body is in one word with its option: it may begin with a dash, as a form with files does.
  if (body !== undefined) options.push(`${names.body}=${body}`);
  if (bodyFile !== undefined) options.push(names.bodyFile, bodyFile);
  return options;
}
