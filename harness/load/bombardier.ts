import { z } from 'zod';
import { errorKind, type LoadTool, onlyRequest, statusErrors, total } from './tool.ts';

const percentiles = z.object({
  '50': z.number(),
  '75': z.number(),
  '90': z.number(),
  '95': z.number(),
  '99': z.number(),
});

/** What `--format json` prints; times in µs, unless the name says otherwise. */
const outputSchema = z.object({
  result: z.object({
    timeTakenSeconds: z.number(),
    req1xx: z.number(),
    req2xx: z.number(),
    req3xx: z.number(),
    req4xx: z.number(),
    req5xx: z.number(),
    others: z.number(),
    errors: z.array(z.object({ description: z.string(), count: z.number() })).default([]),
    latency: z.object({
      mean: z.number(),
      max: z.number(),
      percentiles: percentiles.partial().default({}),
    }),
  }),
});

export const bombardier: LoadTool = {
  name: 'bombardier',
  versionArgv: ['--version'],
  // Debian's package of the same name is a game, and prints no such line.
  identify: (output) => /^bombardier version (\S+)/m.exec(output)?.[1],

  canMix: false,
  canPace: true,

  opened: (connections) => connections,

  argv(load) {
    const { url, ...request } = onlyRequest(load);
    return [
      '--fasthttp',
      ...['-c', String(load.connections), '-d', `${load.durationSeconds}s`],
      ...(load.rate === undefined ? [] : ['-r', String(load.rate)]),
      // The slowest answer of an upload may take longer than the 2 s that it would wait.
      ...(request.bodyFile === undefined ? [] : ['-t', '60s']),
      ...(request.method === 'GET' ? [] : ['-m', request.method]),
      ...Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(request.body === undefined ? [] : ['-b', request.body]),
      ...(request.bodyFile === undefined ? [] : ['-f', request.bodyFile]),
      ...(request.chunked ? ['--stream'] : []),
      ...['--latencies', '--print', 'result', '--format', 'json'],
      url,
    ];
  },

  parse(stdout) {
    const { result } = outputSchema.parse(JSON.parse(stdout));
    const statuses = {
      '1xx': result.req1xx,
      '2xx': result.req2xx,
      '3xx': result.req3xx,
      '4xx': result.req4xx,
      '5xx': result.req5xx,
    };
    const answered = total(statuses);
    const { mean, max, percentiles: at } = result.latency;
    const latencyUs = {
      mean,
      max,
      p50: at['50'] ?? null,
      p75: at['75'] ?? null,
      p90: at['90'] ?? null,
      p95: at['95'] ?? null,
      p99: at['99'] ?? null,
    };
    const named = result.errors.map(({ description, count }) => ({
      kind: errorKind(description),
      detail: description,
      count,
    }));
    return {
      requests: answered,
      seconds: result.timeTakenSeconds,
      errors: [...statusErrors(statuses), ...named, ...unnamed(result.others, named)],
      // A refused connection has a "latency" too: it is none of an answer.
      latencyUs: answered > 0 ? latencyUs : null,
    };
  },
};

/** Failures that are counted among "others" and not described. */
function unnamed(others: number, named: { count: number }[]) {
  const count = others - named.reduce((sum, error) => sum + error.count, 0);
  return count > 0 ? [{ kind: 'other' as const, detail: 'not described', count }] : [];
}
