import { z } from 'zod';
import { statisticsBlock } from './statistics-block.ts';
import { type ErrorCount, type LoadTool, onlyRequest, statusErrors } from './tool.ts';

/** What `--json` prints; times in ms, rounded down to whole ones in each request. */
const outputSchema = z.object({
  duration: z.number(),
  /** All that went wrong on a connection, time-outs included. */
  errors: z.number(),
  timeouts: z.number(),
  connections: z.number(),
  statusCodeStats: z.record(z.string(), z.object({ count: z.number() })).default({}),
  latency: z.object({
    stddev: z.number(),
    max: z.number(),
    p50: z.number(),
    p75: z.number(),
    p90: z.number(),
    p99: z.number(),
  }),
  requests: z.object({ stddev: z.number(), max: z.number() }),
  throughput: z.object({ total: z.number() }),
});

export const autocannon: LoadTool = {
  name: 'autocannon',
  versionArgv: ['--version'],
  identify: (output) => /autocannon v?(\d\S*)/m.exec(output)?.[1],

  can: { mix: false, count: true },

  argv(load) {
    const { url, ...request } = onlyRequest(load);
    const amount =
      load.requestCount === undefined
        ? ['-d', String(load.durationSeconds)]
        : ['-a', String(load.requestCount)];
    return [
      ...['-c', String(load.connections), ...amount],
      ...(request.bodyFile === undefined ? [] : ['-t', '60', '-i', request.bodyFile]),
      ...(request.method === 'GET' ? [] : ['-m', request.method]),
      ...Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]),
      ...(request.body === undefined ? [] : ['-b', request.body]),
      '--json',
      url,
    ];
  },

  parse(stdout) {
    const output = outputSchema.parse(JSON.parse(stdout));
    const statuses = Object.fromEntries(
      Object.entries(output.statusCodeStats).map(([status, { count }]) => [status, count]),
    );
    // Not requests.total, which adds up samples of a second and can miss the last one.
    const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
    const requests = { requests: answered, seconds: output.duration };
    const inUs = (timeMs: number) => timeMs * 1_000;
    const latencyUs = {
      // Its own mean is of whole ms and up to 1 ms too low (0.47 for a true 1.08). In a closed loop every connection
      // always has one request under way, so the mean is connections / throughput (Little's law).
      mean: answered > 0 ? (output.connections * output.duration * 1e6) / answered : 0,
      max: inUs(output.latency.max),
      p50: inUs(output.latency.p50),
      p75: inUs(output.latency.p75),
      p90: inUs(output.latency.p90),
      p95: null,
      p99: inUs(output.latency.p99),
    };
    const failures: ErrorCount[] = [
      { kind: 'timeout', detail: 'timeout', count: output.timeouts },
      { kind: 'other', detail: 'connection error', count: output.errors - output.timeouts },
    ];
    return {
      ...requests,
      errors: [...statusErrors(statuses), ...failures.filter(({ count }) => count > 0)],
      latencyUs: answered > 0 ? latencyUs : null,
      statistics: statisticsBlock({
        requests,
        samples: output.requests,
        latencyUs,
        latencyStddevUs: inUs(output.latency.stddev),
        statuses,
        others: output.errors,
        bytesRead: output.throughput.total,
      }),
    };
  },
};
