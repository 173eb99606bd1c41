import { join } from 'node:path';
import { z } from 'zod';
import { type LoadTool, latencySchema } from './tool.ts';

const SUMMARY_SCRIPT = join(import.meta.dir, 'wrk-summary.lua');

/** The line that wrk-summary.lua prints. */
const summarySchema = z.object({
  durationUs: z.number(),
  requests: z.number(),
  errors: z.object({
    connect: z.number(),
    read: z.number(),
    write: z.number(),
    /** Answers with a status above 399: wrk counts 1xx and 3xx as good. */
    status: z.number(),
    timeout: z.number(),
  }),
  latencyUs: latencySchema,
});

export const wrk: LoadTool = {
  name: 'wrk',
  versionArgv: ['--version'],
  identify: (output) => /^wrk (\S+)/m.exec(output)?.[1],

  refusal: /unable to connect/,

  argv({ url, request, connections, durationSeconds }, threads) {
    return [
      ...[
        '-t',
        String(Math.min(threads, connections)),
        '-c',
        String(connections),
        '-d',
        `${durationSeconds}s`,
      ],
      ...Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...['--latency', '-s', SUMMARY_SCRIPT],
      url,
      ...(request.method === 'GET' && request.body === undefined ? [] : ['--', request.method]),
      ...(request.body === undefined ? [] : [request.body]),
    ];
  },

  parse(stdout) {
    const line = /^\{.*\}$/m.exec(stdout)?.[0];
    if (!line) throw new Error('the line of wrk-summary.lua is missing');
    const { durationUs, requests, errors, latencyUs } = summarySchema.parse(JSON.parse(line));
    const kinds = [
      { kind: 'refused', detail: 'connect', count: errors.connect },
      { kind: 'other', detail: 'read', count: errors.read },
      { kind: 'other', detail: 'write', count: errors.write },
      { kind: 'status', detail: 'status above 399', count: errors.status },
      { kind: 'timeout', detail: 'timeout', count: errors.timeout },
    ] as const;
    return {
      requests,
      seconds: durationUs / 1e6,
      errors: kinds.filter(({ count }) => count > 0),
      latencyUs: requests > 0 ? latencyUs : null,
      statistics: stdout.replace(line, '').trim(),
    };
  },
};
