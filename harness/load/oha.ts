import { z } from 'zod';
import { type LoadTool, loadOptions, type OptionNames, onlyRequest } from './tool.ts';

/** A time in seconds, which becomes µs. */
const time = z.nullable(z.number().transform((seconds) => seconds * 1e6));

/** What `--output-format json` prints. */
const outputSchema = z.object({
  summary: z.object({
    /** How many seconds the load lasted. */
    total: z.number(),
    average: time,
    slowest: time,
  }),
  latencyPercentiles: z.object({
    p50: time,
    p90: time,
    p95: time,
    p99: time,
    'p99.9': time,
  }),
  statusCodeDistribution: z.record(z.string(), z.number()),
  errorDistribution: z.record(z.string(), z.number()),
});

const OPTION_NAMES: OptionNames = {
  duration: '-z',
  rate: '-q',
  body: '-d',
  bodyFile: '-D',
};

export const oha: LoadTool = {
  name: 'oha',
  version: /^oha (\S+)/m,
  lacks: ['mix of requests'],
  latencyFrom: 'due',

  argv(load) {
    const options = loadOptions(load, OPTION_NAMES);
    const correction = load.rate === undefined ? [] : ['--latency-correction'];
    // A redirect must be seen, not followed, and an answer is asked for as it is.
    const plain = ['--redirect', '0', '--disable-compression'];
    const output = ['--no-tui', '--output-format', 'json'];
    const url = load.origin + onlyRequest(load).path;
    return [...options, ...correction, ...plain, ...output, url];
  },

  parse(stdout) {
    const output = outputSchema.parse(JSON.parse(stdout));
    const { summary, latencyPercentiles } = output;
    const { 'p99.9': p999, ...percentiles } = latencyPercentiles;
    // These requests are aborted when the time is up, at most one a connection: the server did
    // nothing wrong.
    const { 'aborted due to deadline': underWay = 0, ...failures } = output.errorDistribution;
    return {
      seconds: summary.total,
      statuses: output.statusCodeDistribution,
      failures,
      underWay,
      latencyUs: {
        mean: summary.average ?? 0,
        max: summary.slowest,
        ...percentiles,
        p999,
      },
    };
  },
};
