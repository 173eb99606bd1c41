import { markdownTable } from 'markdown-table';
import type { Result } from '../results/schema.ts';
import type { Verdict } from '../results/verdict.ts';
import { type Row, type Summary, summarise } from '../stats/summary.ts';
import { verdictsOf } from '../stats/verdicts.ts';
import {
  changeCell,
  cpuCell,
  INVALID,
  latencyCell,
  noiseFloorCell,
  ratioCell,
  spreadCell,
  throughputCell,
  throughputChangeCell,
} from './cells.ts';
import { MARKED, notes } from './notes.ts';
import { asMs, asRate } from './units.ts';

/** One column: its heading, and what it says of a row. */
type Column = [heading: string, cell: (row: Row) => string];

/** The table to paste into documentation, with what must be said under it. */
export function docsReport(result: Result): string {
  const summary = summarise(result);
  const verdicts = verdictsOf(result, summary);
  const columns: Column[] = [['Test', title(verdicts)]];
  if (result.configuration.rounds > 0) columns.push(['Change per request', latencyOrChange]);
  if (summary.noiseFloor) columns.push(['Server CPU per request', (row) => cpuCell(row, summary)]);
  if (summary.noiseFloor && result.configuration.rounds > 0)
    columns.push(['Throughput', ({ solo }) => throughputCell(solo)]);
  return [table(columns, summary), ...notes(result, summary, verdicts)].join('\n\n');
}

/** Everything that was measured: the wide table, and the load tool's own statistics block for each scenario. */
export function fullReport(result: Result): string {
  const summary = summarise(result);
  const verdicts = verdictsOf(result, summary);
  const columns: Column[] = [['Test', title(verdicts)]];
  if (result.configuration.rounds > 0) columns.push(...soloColumns);
  if (summary.noiseFloor) {
    columns.push(['Server CPU per request', (row) => cpuCell(row, summary)], ['CPU ratio', ratioCell]);
  }
  return [
    table(columns, summary),
    ...notes(result, summary, verdicts),
    ...summary.rows.map(statisticsSection).filter(Boolean),
  ].join('\n\n');
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

/** The row's label, with a † where a verdict below the table changes what the row means. */
function title(verdicts: Verdict[]): (row: Row) => string {
  return (row) => {
    const isMarked = verdicts.some(
      ({ kind, scenario }) => scenario === row.scenario && MARKED.includes(kind),
    );
    return cell(row.title) + (isMarked ? ' †' : '');
  };
}

function latencyOrChange({ isBaseline, solo }: Row): string {
  return isBaseline ? latencyCell(solo) : changeCell(solo);
}

function percentileCell(name: 'p50' | 'p95' | 'p99'): (row: Row) => string {
  return ({ solo }) => {
    const timeUs = solo.figures?.latencyUs[name];
    return timeUs === null || timeUs === undefined ? '-' : asMs(timeUs);
  };
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
  const command = `Round ${round}: \`${measurement.command.join(' ')}\``;
  return [`### ${title}`, '', command, '', '```', measurement.load.statistics, '```'].join('\n');
}

/** Text that can't break out of its table cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
