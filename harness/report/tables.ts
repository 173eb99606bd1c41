import { markdownTable } from 'markdown-table';
import type { Result } from '../results/schema.ts';
import type { Verdict } from '../results/verdict.ts';
import { type Row, type Summary, summarise } from '../stats/summary.ts';
import { type TaskResult, type TaskSummary, taskResults } from '../stats/tasks.ts';
import { verdictsOf } from '../stats/verdicts.ts';
import {
  changeCell,
  cpuCell,
  INVALID,
  latencyCell,
  noiseFloorCell,
  percentileCell,
  ratioCell,
  spreadCell,
  throughputCell,
  throughputChangeCell,
} from './cells.ts';
import { codeBlock, codeSpan, markdownSafe } from './markdown.ts';
import { markedTitle, notes } from './notes.ts';
import { taskTables } from './task-tables.ts';
import { asMs, asRate } from './units.ts';

/** One column: its heading, and what it says of a row. */
type Column = [heading: string, cell: (row: Row) => string];

/**
 * What to paste into documentation: the table, or for a suite of several tasks the tables over all of them; and what must
 * be said under it.
 */
export function docsReport(raw: Result): string {
  const { tasks, verdicts, under } = prepared(raw);
  const tables = tasks.length === 1 ? tasks.map((task) => docsTable(task, verdicts)) : taskTables(tasks);
  return [...tables, ...under].join('\n\n');
}

/** Everything that was measured: the wide tables, and the load tool's own statistics block for each scenario. */
export function fullReport(raw: Result): string {
  const { tasks, verdicts, under } = prepared(raw);
  const hasSeveral = tasks.length > 1;
  const sections = tasks.flatMap((task) => [
    ...(hasSeveral ? [`## ${task.task.title}`] : []),
    fullTable(task, verdicts),
    ...(hasSeveral ? statistics(task) : []),
  ]);
  return [
    ...(hasSeveral ? taskTables(tasks) : []),
    ...sections,
    ...under,
    ...(hasSeveral ? [] : statistics(tasks[0] as TaskResult)),
  ].join('\n\n');
}

function prepared(raw: Result): { tasks: TaskResult[]; verdicts: Verdict[]; under: string[] } {
  const result = markdownSafe(raw);
  const tasks = taskResults(result);
  const verdicts = verdictsOf(result);
  return { tasks, verdicts, under: notes(result, tasks, verdicts) };
}

function docsTable({ task, result }: TaskResult, verdicts: Verdict[]): string {
  const summary = summarise(result);
  const hasRounds = result.configuration.rounds > 0;
  const columns: Column[] = [['Test', title(task, verdicts)]];
  if (hasRounds) columns.push(['Change per request', latencyOrChange]);
  if (summary.noiseFloor) columns.push(['Server CPU per request', (row) => cpuCell(row, summary)]);
  if (summary.noiseFloor && hasRounds) columns.push(['Throughput', ({ solo }) => throughputCell(solo)]);
  return table(columns, summary);
}

function fullTable({ task, result }: TaskResult, verdicts: Verdict[]): string {
  const summary = summarise(result);
  const columns: Column[] = [['Test', title(task, verdicts)]];
  if (result.configuration.rounds > 0) columns.push(...soloColumns);
  if (summary.noiseFloor) {
    columns.push(['Server CPU per request', (row) => cpuCell(row, summary)], ['CPU ratio', ratioCell]);
  }
  return table(columns, summary);
}

function statistics({ result }: TaskResult): string[] {
  return summarise(result).rows.map(statisticsSection).filter(Boolean);
}

const soloColumns: Column[] = [
  ['Mean latency', ({ solo }) => latencyCell(solo)],
  ['Change per request', ({ isBaseline, solo }) => (isBaseline ? '' : changeCell(solo))],
  ['Over rounds', ({ solo }) => spreadCell(solo.figures?.change)],
  ['Requests/s', ({ solo }) => (solo.figures ? asRate(solo.figures.throughput) : INVALID)],
  ['Change', ({ solo }) => (solo.figures?.change ? throughputChangeCell(solo.figures.change) : '')],
  ['p50', percentileCell('p50')],
  ['p95', percentileCell('p95')],
  ['p99', percentileCell('p99')],
  ['Errors', ({ solo }) => String(solo.errors)],
];

function title({ name }: TaskSummary, verdicts: Verdict[]): (row: Row) => string {
  const own = verdicts.filter(({ task }) => task === null || task === name);
  return (row) => markedTitle(row, own);
}

function latencyOrChange({ isBaseline, solo }: Row): string {
  return isBaseline ? latencyCell(solo) : changeCell(solo);
}

/** The rows of the suite, and the noise floor as the last where there were duets. */
function table(columns: Column[], summary: Summary): string {
  const headings = columns.map(([heading]) => heading);
  const cells = summary.rows.map((row) => columns.map(([, print]) => print(row)));
  const floor = headings.map((heading) =>
    heading === 'Server CPU per request' ? noiseFloorCell(summary) : '',
  );
  if (summary.noiseFloor) cells.push(['Noise floor (baseline against itself)', ...floor.slice(1)]);
  return markdownTable([headings, ...cells], {
    align: headings.map((_, index) => (index === 0 ? 'l' : 'r')),
  });
}

function statisticsSection({ title, solo: { typical } }: Row): string {
  if (!typical) return '';
  const { measurement, round } = typical;
  const command = `Round ${round}: ${codeSpan(measurement.command.join(' '))}`;
  const blocks = [measurement.load.statistics, histogram(measurement.load.histogram ?? [])].filter(Boolean);
  return [`### ${title}`, command, ...blocks.map(codeBlock)].join('\n\n');
}

const BAR_LENGTH = 40;

/** Answers by latency, a line and a bar for each bucket; empty where the tool does not tell. */
function histogram(buckets: { upToUs: number; count: number }[]): string {
  const largest = Math.max(...buckets.map(({ count }) => count));
  return buckets
    .map(({ upToUs, count }) => {
      const bar = '#'.repeat(Math.ceil((count / largest) * BAR_LENGTH));
      return `up to ${asMs(upToUs).padStart(11)} ${String(count).padStart(9)} ${bar}`;
    })
    .join('\n');
}
