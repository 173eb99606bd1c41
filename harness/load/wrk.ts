import { join } from 'node:path';
import { z } from 'zod';
import { latencySchema } from '../result/pair-schema.ts';
import { answerWithin, type Load, type LoadTool, namedHeaders } from './tool.ts';

const SUMMARY_SCRIPT = join(import.meta.dir, 'wrk-summary.lua');

const count = z.number();

/** The line that wrk-summary.lua prints. */
const summarySchema = z.object({
  durationUs: z.number(),
  requests: count,
  /** `status`: answers with a status above 399. wrk counts 1xx and 3xx as good. */
  errors: z.object({ connect: count, read: count, write: count, status: count, timeout: count }),
  latencyUs: latencySchema.omit({ mean: true, p999: true }),
});

/** One request as wrk-summary.lua reads it: weight, method, path, kind of body, body, number of headers, headers. */
function requestArgs({
  weight,
  method,
  path,
  body,
  bodyFile,
  headers,
}: Load['requests'][number]): string[] {
  const kind = bodyFile !== undefined ? 'file' : body !== undefined ? 'text' : 'none';
  const pairs = Object.entries(namedHeaders(headers));
  return [
    String(weight),
    method,
    path,
    kind,
    bodyFile ?? body ?? '',
    String(pairs.length),
    ...pairs.flat(),
  ];
}

/** Each thread opens the same whole number of connections (wrk's main: cfg.connections / cfg.threads), so it must divide them. */
function threadsFor(connections: number, cores: number): number {
  let threads = Math.min(cores, connections);
  while (connections % threads > 0) threads--;
  return threads;
}

export const wrk: LoadTool = {
  name: 'wrk',
  version: /^wrk (\S+)/m,
  files: [SUMMARY_SCRIPT],
  lacks: ['steady rate'],
  latencyFrom: null,

  argv(load, cores) {
    const { origin, requests, connections, durationSeconds } = load;
    return [
      ...[
        '-t',
        String(threadsFor(connections, cores)),
        '-c',
        String(connections),
        '-d',
        `${durationSeconds}s`,
      ],
      ...['--timeout', `${answerWithin(load)}s`, '--latency', '-s', SUMMARY_SCRIPT, `${origin}/`],
      ...['--', ...requests.flatMap(requestArgs)],
    ];
  },

  parse(stdout) {
    const line = /^\{.*\}$/m.exec(stdout)?.[0];
    const connections = Number(/^ *\d+ threads and (\d+) connections$/m.exec(stdout)?.[1]);
    if (!line || !connections)
      throw new Error('the line of wrk-summary.lua, or the number of connections, is missing');
    const { durationUs, requests, errors, latencyUs } = summarySchema.parse(JSON.parse(line));
    const { status, connect, read, write, timeout } = errors;
    return {
      seconds: durationUs / 1e6,
      statuses: { '2xx': requests - status, 'above 399': status },
      failures: { 'no connection': connect, 'read error': read, 'write error': write, timeout },
      // It leaves without its last answers, for which the server works on.
      underWay: connections,
      // Before it tells its own mean, it adds what it takes for omitted; each connection was waiting all the time.
      latencyUs: { ...latencyUs, mean: (connections * durationUs) / requests, p999: null },
    };
  },
};
