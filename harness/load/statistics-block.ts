import type { Latency, LoadResult } from './tool.ts';

/** Figures of a tool that prints JSON, in the layout of bombardier's report, which people know. */
export interface Statistics {
  requests: Pick<LoadResult, 'requests' | 'seconds'>;
  /** Deviation and maximum of short samples of the throughput, in requests a second, where the tool has them. */
  samples?: { stddev: number; max: number };
  latencyUs: Latency;
  latencyStddevUs?: number;
  /** Count by class or status. */
  statuses: Record<string, number>;
  others: number;
  bytesRead: number;
}

/** The block of text; throughput is requests / seconds. */
export function statisticsBlock(statistics: Statistics): string {
  const { requests, samples, latencyUs, latencyStddevUs, statuses, others, bytesRead } = statistics;
  const rate = (value: number | undefined) => (value === undefined ? '-' : value.toFixed(2));
  const row = (...cells: string[]) =>
    `  ${cells[0]?.padEnd(10)}${cells
      .slice(1)
      .map((cell) => cell.padStart(12))
      .join('')}`;
  return [
    row('Statistics', 'Avg', 'Stdev', 'Max').trimStart(),
    row('Reqs/sec', rate(requests.requests / requests.seconds), rate(samples?.stddev), rate(samples?.max)),
    row('Latency', time(latencyUs.mean), time(latencyStddevUs ?? null), time(latencyUs.max)),
    '  HTTP codes:',
    `    ${Object.entries(statuses)
      .map(([status, count]) => `${status} - ${count}`)
      .join(', ')}`,
    `    others - ${others}`,
    `  Throughput: ${(bytesRead / requests.seconds / 1024 ** 2).toFixed(2)}MB/s`,
  ].join('\n');
}

/** A time in µs with the unit that suits its size. */
function time(us: number | null): string {
  if (us === null) return '-';
  if (us < 1_000) return `${us.toFixed(2)}us`;
  return us < 1_000_000 ? `${(us / 1_000).toFixed(2)}ms` : `${(us / 1_000_000).toFixed(2)}s`;
}
