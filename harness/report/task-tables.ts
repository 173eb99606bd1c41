import { markdownTable } from 'markdown-table';
import type { Result } from '../results/schema.ts';
import { isSignificant } from '../stats/duet.ts';
import type { Interval } from '../stats/interval.ts';
import { type ResourceRow, resourceRows } from '../stats/resources.ts';
import { measurementsOf } from '../stats/solo.ts';
import { type Row, type Summary, summarise } from '../stats/summary.ts';
import type { TaskResult } from '../stats/tasks.ts';
import { changeCell, INVALID, latencyCell } from './cells.ts';
import { asMiB, asMs, asUs } from './units.ts';

/** Tables over all tasks of a suite: a line for each, or one for each of its scenarios. */
export function taskTables(tasks: TaskResult[]): string[] {
  const all = [
    haveSameRows(tasks) ? summaryTable(tasks) : undefined,
    uploadTable(tasks),
    runtimesTable(tasks),
  ];
  return [...all, resourcesTable(tasks)].filter((table) => table !== undefined);
}

function haveSameRows(tasks: TaskResult[]): boolean {
  const rows = ({ task }: TaskResult) => [task.baseline, ...task.scenarios].join();
  return tasks.every((each) => rows(each) === rows(tasks[0] as TaskResult));
}

/** Tasks down, scenarios across: what each costs the server as a multiple of the baseline, or the client in ms. */
function summaryTable(tasks: TaskResult[]): string {
  const [first] = tasks as [TaskResult];
  const titles = summarise(first.result).rows.map(({ title }) => title);
  const lines = tasks.map(({ task, result }) => {
    const summary = summarise(result);
    return [task.title, ...summary.rows.map((row) => summaryCell(row, summary))];
  });
  return table(['Endpoint', ...titles], lines);
}

function summaryCell(row: Row, summary: Summary): string {
  const { baselineUs, noiseFloorUs } = summary;
  if (row.isBaseline) return baselineUs === undefined ? latencyCell(row.solo) : asUs(baselineUs);
  const estimate = row.duet?.estimate;
  if (!row.duet) return changeCell(row.solo);
  if (!estimate) return row.duet.invalid.length > 0 ? INVALID : '-';
  const isNone = isSignificant(estimate, noiseFloorUs) === false;
  return `${isNone ? '~ ' : ''}x${estimate.ratio.toFixed(2)}${times(estimate.ratioInterval)}`;
}

function times(interval: Interval | undefined): string {
  return interval ? ` (${interval.low.toFixed(2)} … ${interval.high.toFixed(2)})` : '';
}

/** From this size on the body is the work, and a reader thinks in MB. */
const LARGE_BODY_BYTES = 1e7;

/** Throughput and CPU time by MB sent, for tasks whose requests carry a large body. */
function uploadTable(tasks: TaskResult[]): string | undefined {
  const head = [
    'Upload',
    'Server',
    'Mean',
    'p50',
    'p75',
    'p95',
    'p99',
    'Slowest',
    'Throughput',
    'CPU per MB',
    'By duets',
  ];
  const lines = tasks.flatMap(({ task, result }) => {
    const { bodyBytes } = task;
    if (bodyBytes === null || bodyBytes < LARGE_BODY_BYTES) return [];
    const megabytes = bodyBytes / 1e6;
    const summary = summarise(result);
    return summary.rows.map((row) => {
      const { title, isBaseline, solo } = row;
      const { figures, invalid } = solo;
      const name = [task.title, isBaseline ? `${title} (baseline)` : title];
      if (!figures)
        return [...name, ...Array(head.length - name.length).fill(invalid.length > 0 ? INVALID : '-')];
      const { latencyUs, throughput, cpuPerRequestUs } = figures;
      const percentiles = [latencyUs.mean, latencyUs.p50, latencyUs.p75, latencyUs.p95, latencyUs.p99];
      return [
        ...name,
        ...[...percentiles, latencyUs.max].map((timeUs) => (timeUs === null ? '-' : asMs(timeUs))),
        `${(throughput * megabytes).toFixed(0)} MB/s`,
        cpuPerRequestUs === null ? '-' : asUs(cpuPerRequestUs / megabytes),
        isBaseline ? '' : summaryCell(row, summary),
      ];
    });
  });
  return lines.length > 0 ? table(head, lines, 2) : undefined;
}

/** Servers of the same title on two runtimes, side by side. */
function runtimesTable(tasks: TaskResult[]): string | undefined {
  const all = tasks.flatMap(({ result }) =>
    summarise(result).rows.map(({ title, scenario, solo }) => ({
      title,
      runtime: runtimeOf(result, scenario),
      cpuUs: solo.figures?.cpuPerRequestUs,
    })),
  );
  const byTitle = [...Map.groupBy(all, ({ title }) => title)];
  const lines = byTitle.flatMap(([title, rows]) => {
    const [first, second] = [...new Map(rows.map((row) => [row.runtime, row])).values()];
    if (!first?.runtime || !second?.runtime || !first.cpuUs || !second.cpuUs) return [];
    const cells = [first, second].map(({ cpuUs }) => asUs(cpuUs as number));
    return [
      {
        runtimes: [first.runtime, second.runtime],
        cells: [title, ...cells, `x${(second.cpuUs / first.cpuUs).toFixed(2)}`],
      },
    ];
  });
  const [first] = lines;
  return (
    first &&
    table(
      ['CPU per request', ...first.runtimes, 'Ratio'],
      lines.map(({ cells }) => cells),
    )
  );
}

function runtimeOf(result: Result, scenario: string): string | undefined {
  const runtime = measurementsOf(result, scenario).find(({ usage }) => usage)?.usage?.runtime;
  return runtime && `${runtime.name} ${runtime.version}`;
}

function resourcesTable(tasks: TaskResult[]): string | undefined {
  const lines = tasks.flatMap(({ task, result }) =>
    resourceRows(result).flatMap((row) => (row.figures ? [[task.title, ...resourceCells(row)]] : [])),
  );
  const head = ['Task', 'Test', 'CPU user', 'CPU system', 'RSS', 'RSS peak', 'Heap', 'Heap peak'];
  return lines.length > 0 ? table([...head, 'Loop delay p99', 'max'], lines, 2) : undefined;
}

function resourceCells({ title, figures }: ResourceRow): string[] {
  if (!figures) return [];
  const { rssBytes, heapBytes, eventLoopDelayUs } = figures;
  return [
    title,
    ...[figures.cpuUserPerRequestUs, figures.cpuSystemPerRequestUs].map(asUs),
    ...[rssBytes.mean, rssBytes.peak, heapBytes.mean, heapBytes.peak].map(asMiB),
    ...[eventLoopDelayUs.p99, eventLoopDelayUs.max].map(asMs),
  ];
}

function table(head: string[], lines: string[][], textColumns = 1): string {
  return markdownTable([head, ...lines], {
    align: head.map((_, index) => (index < textColumns ? 'l' : 'r')),
  });
}
