import { join } from 'node:path';
import { z } from 'zod';
import { latencySchema } from '../result/pair-schema.ts';
import { answerWithinSeconds, type LoadTool, namedHeaders, type WeightedRequest } from './tool.ts';

const SUMMARY_SCRIPT = join(import.meta.dir, 'wrk-summary.lua');

const count = z.number();

/** The line that wrk-summary.lua prints. */
const summarySchema = z.object({
  durationUs: z.number(),
  requests: count,
  errors: z.object({
    connect: count,
    read: count,
    write: count,
    /** Answers with a status above 399: wrk counts 1xx and 3xx as good. */
    status: count,
    timeout: count,
  }),
  latencyUs: latencySchema.omit({ mean: true, p999: true }),
});

export const wrk: LoadTool = {
  name: 'wrk',
  version: /^wrk (\S+)/m,
  files: [SUMMARY_SCRIPT],
  lacks: ['steady rate'],
  latencyFrom: null,
  // It counts each as an answer, and none as an error.
  mistakesInterim: () => true,

  argv(load, cores) {
    const { origin, requests, connections, durationSeconds } = load;
    const threads = ['-t', String(threadsFor(connections, cores))];
    const closedLoop = ['-c', String(connections), '-d', `${durationSeconds}s`];
    const timeout = ['--timeout', `${answerWithinSeconds(load)}s`];
    const output = ['--latency', '-s', SUMMARY_SCRIPT];
    const scriptArgs = ['--', ...requests.flatMap(requestArgs)];
    return [...threads, ...closedLoop, ...timeout, ...output, `${origin}/`, ...scriptArgs];
  },

  parse(stdout) {
    const line = /^\{.*\}$/m.exec(stdout)?.[0];
    const connections = Number(/^ *\d+ threads and (\d+) connections$/m.exec(stdout)?.[1]);
    if (!line || !connections)
      throw new Error('the line of wrk-summary.lua, or the number of connections, is missing');
    const { durationUs, requests, errors, latencyUs } = summarySchema.parse(JSON.parse(line));
    return {
      seconds: durationUs / 1e6,
      statuses: {
        '2xx': requests - errors.status,
        'above 399': errors.status,
      },
      failures: {
        'no connection': errors.connect,
        'read error': errors.read,
        'write error': errors.write,
        timeout: errors.timeout,
      },
      // wrk leaves without its last answers, for which the server works on.
      underWay: connections,
      latencyUs: {
        ...latencyUs,
        // wrk's own mean holds a correction for requests that it takes for omitted. Here, each
        // connection was waiting all the time.
        mean: (connections * durationUs) / requests,
        p999: null,
      },
    };
  },
};

/**
 * Returns one request as wrk-summary.lua reads it: weight, method, path, kind of body, body, number
 * of headers, headers.
 */
function requestArgs(request: WeightedRequest): string[] {
  const { body, bodyFile } = request;
  const headers = Object.entries(namedHeaders(request.headers));
  return [
    String(request.weight),
    request.method,
    request.path,
    bodyKind(request),
    bodyFile ?? body ?? '',
    String(headers.length),
    ...headers.flat(),
  ];
}

function bodyKind({ body, bodyFile }: WeightedRequest): 'file' | 'text' | 'none' {
  if (bodyFile !== undefined) return 'file';
  return body === undefined ? 'none' : 'text';
}

/**
 * Returns the largest number of threads, up to one a core, that divides the connections: each
 * thread opens the same whole number (wrk's main: cfg.connections / cfg.threads).
 */
function threadsFor(connections: number, cores: number): number {
  let threads = Math.min(cores, connections);
  while (connections % threads > 0) threads--;
  return threads;
}
