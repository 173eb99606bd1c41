import type { Result } from '../results/schema.ts';
import type { Interval } from '../stats/interval.ts';
import { invalidityOf, type Row, type Summary, summarise } from '../stats/summary.ts';
import { type TaskResult, taskResults } from '../stats/tasks.ts';
import { printable } from './printable.ts';

type Value = string | number | null | undefined;
type Column = [heading: string, value: (row: Row, context: TaskResult & { summary: Summary }) => Value];

const COLUMNS: Column[] = [
  ['suite', (_, { result }) => result.suite.name],
  ['task', (_, { task }) => task.name],
  ['scenario', ({ scenario }) => scenario],
  ['title', ({ title }) => title],
  ['invalid', (row) => invalidityOf(row).join('; ')],
  ['connections', (_, { result }) => result.configuration.connections],
  ['latency_mean_us', ({ solo }) => solo.figures?.latencyUs.mean],
  ['latency_p50_us', ({ solo }) => solo.figures?.latencyUs.p50],
  ['latency_p95_us', ({ solo }) => solo.figures?.latencyUs.p95],
  ['latency_p99_us', ({ solo }) => solo.figures?.latencyUs.p99],
  ['latency_change_us', ({ solo }) => solo.figures?.change?.meanUs],
  ...interval('latency_change_us', ({ solo }) => solo.figures?.change?.intervalUs),
  ['throughput_per_s', ({ solo }) => solo.figures?.throughput],
  ['throughput_change_ratio', ({ solo }) => solo.figures?.change?.throughput],
  ...interval('throughput_change_ratio', ({ solo }) => solo.figures?.change?.throughputInterval),
  ['errors', ({ solo }) => solo.errors],
  ['baseline_cpu_us_per_request', (_, { summary }) => summary.baselineUs],
  ['cpu_change_us_per_request', ({ duet }) => duet?.estimate?.changeUs],
  ...interval('cpu_change_us_per_request', ({ duet }) => duet?.estimate?.changeUsInterval),
  ['cpu_ratio', ({ duet }) => duet?.estimate?.ratio],
  ...interval('cpu_ratio', ({ duet }) => duet?.estimate?.ratioInterval),
  ['cpu_noise_floor_us_per_request', (_, { summary }) => summary.noiseFloorUs || null],
];

/** The two ends of a 95 % interval. */
function interval(heading: string, of: (row: Row) => Interval | undefined): Column[] {
  return [
    [`${heading}_low95`, (row) => of(row)?.low],
    [`${heading}_high95`, (row) => of(row)?.high],
  ];
}

/** One line for each scenario of each task (RFC 4180), in full precision; empty where there is no such figure. */
export function csvReport(result: Result): string {
  const lines = taskResults(result).flatMap((each) => {
    const context = { ...each, summary: summarise(each.result) };
    return context.summary.rows.map((row) => COLUMNS.map(([, value]) => field(value(row, context))));
  });
  return [COLUMNS.map(([heading]) => heading), ...lines].map((line) => line.join(',')).join('\r\n');
}

/** Text that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, CSV Injection). */
function field(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  const text = printable(value).replaceAll('\r\n', '\n');
  const harmless = /^\s*[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
