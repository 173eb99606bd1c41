import { z } from 'zod';
import { type LoadTool, loadOptions, onlyRequest } from './tool.ts';

/** A time in seconds, which becomes µs. */
const time = z.nullable(z.number().transform((seconds) => seconds * 1e6));

/** What `--output-format json` prints. */
const outputSchema = z.object({
  summary: z.object({ total: z.number(), average: time, slowest: time }),
  latencyPercentiles: z.object({ p50: time, p90: time, p95: time, p99: time, 'p99.9': time }),
  statusCodeDistribution: z.record(z.string(), z.number()),
  errorDistribution: z.record(z.string(), z.number()),
});

export const oha: LoadTool = {
  name: 'oha',
  version: /^oha (\S+)/m,
  lacks: ['mix of requests'],
  latencyFrom: 'due',

  argv(load) {
    return [
      ...loadOptions(load, { duration: '-z', rate: '-q', body: '-d', bodyFile: '-D' }),
      ...(load.rate === undefined ? [] : ['--latency-correction']),
      // A redirect must be seen, not followed, and an answer is asked for as it is.
      ...['--redirect', '0', '--disable-compression', '--no-tui', '--output-format', 'json'],
      load.origin + onlyRequest(load).path,
    ];
  },

  parse(stdout) {
    const { summary, latencyPercentiles, ...output } = outputSchema.parse(JSON.parse(stdout));
    const { 'p99.9': p999, ...percentiles } = latencyPercentiles;
    // When the time is up: at most one a connection, and no failure of the server.
    const { 'aborted due to deadline': underWay = 0, ...failures } = output.errorDistribution;
    return {
      seconds: summary.total,
      statuses: output.statusCodeDistribution,
      failures,
      underWay,
      latencyUs: { mean: summary.average ?? 0, max: summary.slowest, ...percentiles, p999 },
    };
  },
};
