import { sum } from 'simple-statistics';
import { z } from 'zod';
import {
  answerWithinSeconds,
  type LoadTool,
  loadOptions,
  type OptionNames,
  onlyRequest,
} from './tool.ts';

const number = z.number();

/** What `--format json` prints. Times are in µs, unless the name says otherwise. */
const outputSchema = z.object({
  result: z.object({
    timeTakenSeconds: number,
    req1xx: number,
    req2xx: number,
    req3xx: number,
    req4xx: number,
    req5xx: number,
    others: number,
    errors: z.array(z.object({ description: z.string(), count: number })).default([]),
    latency: z.object({
      mean: number,
      max: number,
      percentiles: z.record(z.string(), number).default({}),
    }),
  }),
});

const OPTION_NAMES: OptionNames = {
  duration: '-d',
  rate: '-r',
  body: '--body',
  bodyFile: '-f',
};

export const bombardier: LoadTool = {
  name: 'bombardier',
  // Debian's package of the same name is a game, and prints no such line.
  version: /^bombardier version (\S+)/m,
  lacks: ['mix of requests', 'Host header'],
  latencyFrom: 'sent',
  // Its client knows 100 alone.
  mistakesInterim: (status) => status !== 100,

  argv(load) {
    const { path, chunked } = onlyRequest(load);
    const options = loadOptions(load, OPTION_NAMES);
    const timeout = ['-t', `${answerWithinSeconds(load)}s`];
    const stream = chunked ? ['--stream'] : [];
    const output = ['--latencies', '--print', 'result', '--format', 'json'];
    return ['--fasthttp', ...options, ...timeout, ...stream, ...output, load.origin + path];
  },

  parse(stdout) {
    const { result } = outputSchema.parse(JSON.parse(stdout));
    const { mean, max, percentiles } = result.latency;
    const failures = Object.fromEntries(
      result.errors.map(({ description, count }) => [description, count]),
    );
    return {
      seconds: result.timeTakenSeconds,
      statuses: {
        '1xx': result.req1xx,
        '2xx': result.req2xx,
        '3xx': result.req3xx,
        '4xx': result.req4xx,
        '5xx': result.req5xx,
      },
      failures: {
        ...failures,
        'not described': result.others - sum(Object.values(failures)),
      },
      latencyUs: {
        mean,
        max,
        p50: percentiles['50'] ?? null,
        p90: percentiles['90'] ?? null,
        p95: percentiles['95'] ?? null,
        p99: percentiles['99'] ?? null,
        p999: null,
      },
    };
  },
};
