import { z } from 'zod';
import { errorKind, type LoadTool, onlyRequest, statusErrors, total } from './tool.ts';

const seconds = z.number().nullable();

/** What `--output-format json` prints; times in seconds. */
const outputSchema = z.object({
  summary: z.object({ total: z.number(), average: seconds, slowest: seconds }),
  latencyPercentiles: z.object({ p50: seconds, p75: seconds, p90: seconds, p95: seconds, p99: seconds }),
  statusCodeDistribution: z.record(z.string(), z.number()),
  errorDistribution: z.record(z.string(), z.number()),
});

/** Requests under way when the time is up: at most one a connection, and no failure of the server. */
const CUT_OFF = 'aborted due to deadline';

export const oha: LoadTool = {
  name: 'oha',
  versionArgv: ['--version'],
  identify: (output) => /^oha (\S+)/m.exec(output)?.[1],

  canMix: false,
  canPace: true,

  opened: (connections) => connections,

  argv(load) {
    const { url, ...request } = onlyRequest(load);
    return [
      ...['-c', String(load.connections), '-z', `${load.durationSeconds}s`],
      ...(load.rate === undefined ? [] : ['-q', String(load.rate)]),
      ...(request.method === 'GET' ? [] : ['-m', request.method]),
      ...Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(request.body === undefined ? [] : ['-d', request.body]),
      ...(request.bodyFile === undefined ? [] : ['-D', request.bodyFile]),
      // A redirect must be seen, not followed.
      ...['--redirect', '0', '--no-tui', '--output-format', 'json'],
      url,
    ];
  },

  parse(stdout) {
    const output = outputSchema.parse(JSON.parse(stdout));
    const statuses = output.statusCodeDistribution;
    const answered = total(statuses);
    const failures = Object.entries(output.errorDistribution)
      .filter(([detail]) => detail !== CUT_OFF)
      .map(([detail, count]) => ({ kind: errorKind(detail), detail, count }));
    const at = output.latencyPercentiles;
    const latencyUs = {
      mean: (output.summary.average ?? 0) * 1e6,
      max: inUs(output.summary.slowest),
      p50: inUs(at.p50),
      p75: inUs(at.p75),
      p90: inUs(at.p90),
      p95: inUs(at.p95),
      p99: inUs(at.p99),
    };
    return {
      requests: answered,
      seconds: output.summary.total,
      errors: [...statusErrors(statuses), ...failures],
      latencyUs: answered > 0 ? latencyUs : null,
    };
  },
};

function inUs(timeSeconds: number | null): number | null {
  return timeSeconds === null ? null : timeSeconds * 1e6;
}
