import { sum } from 'simple-statistics';
import { z } from 'zod';
import { answerWithin, type LoadTool, loadOptions, onlyRequest } from './tool.ts';

const number = z.number();

/** What `--format json` prints; times in µs, unless the name says otherwise. */
const outputSchema = z.object({
  result: z.object({
    timeTakenSeconds: number,
    ...{
      req1xx: number,
      req2xx: number,
      req3xx: number,
      req4xx: number,
      req5xx: number,
      others: number,
    },
    errors: z.array(z.object({ description: z.string(), count: number })).default([]),
    latency: z.object({
      mean: number,
      max: number,
      percentiles: z.record(z.string(), number).default({}),
    }),
  }),
});

export const bombardier: LoadTool = {
  name: 'bombardier',
  // Debian's package of the same name is a game, and prints no such line.
  version: /^bombardier version (\S+)/m,
  lacks: ['mix of requests', 'Host header'],
  latencyFrom: 'sent',

  argv(load) {
    const { path, chunked } = onlyRequest(load);
    return [
      '--fasthttp',
      ...loadOptions(load, { duration: '-d', rate: '-r', body: '--body', bodyFile: '-f' }),
      ...['-t', `${answerWithin(load)}s`],
      ...(chunked ? ['--stream'] : []),
      ...['--latencies', '--print', 'result', '--format', 'json'],
      load.origin + path,
    ];
  },

  parse(stdout) {
    const { result } = outputSchema.parse(JSON.parse(stdout));
    const { req1xx, req2xx, req3xx, req4xx, req5xx, latency } = result;
    const { mean, max, percentiles } = latency;
    const [p50 = null, p90 = null, p95 = null, p99 = null] = ['50', '90', '95', '99'].map(
      (at) => percentiles[at],
    );
    const failures = Object.fromEntries(
      result.errors.map(({ description, count }) => [description, count]),
    );
    return {
      seconds: result.timeTakenSeconds,
      statuses: { '1xx': req1xx, '2xx': req2xx, '3xx': req3xx, '4xx': req4xx, '5xx': req5xx },
      failures: { ...failures, 'not described': result.others - sum(Object.values(failures)) },
      latencyUs: { mean, max, p50, p90, p95, p99, p999: null },
    };
  },
};
