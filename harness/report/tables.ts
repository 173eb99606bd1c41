import { markdownTable } from 'markdown-table';
import type { Result } from '../results/schema.ts';
import { type SoloRow, soloRows } from '../stats/solo.ts';
import { notes } from './notes.ts';
import { asMs, asMsChange, asPercentChange, asRate } from './units.ts';

const INVALID = 'invalid';

/** The table to paste into documentation, `|Test|Change per request|`, with what must be said under it. */
export function docsReport(result: Result): string {
  const rows = soloRows(result);
  const table = markdownTable([
    ['Test', 'Change per request'],
    ...rows.map((row) => [cell(row.title), row.isBaseline ? latency(row) : change(row)]),
  ]);
  return withNotes(table, result, rows);
}

/** Everything the load tool told: the wide table, and the tool's own statistics block for each scenario. */
export function fullReport(result: Result): string {
  const rows = soloRows(result);
  const header = [
    'Test',
    'Mean latency',
    'Change per request',
    'Over rounds',
    'Requests/s',
    'Change',
    'p50',
    'p95',
    'p99',
    'Errors',
  ];
  const table = markdownTable([header, ...rows.map((row) => fullCells(row))], {
    align: ['l', ...header.slice(1).map(() => 'r')],
  });
  return [withNotes(table, result, rows), ...rows.map(statisticsSection)].join('\n\n');
}

function fullCells(row: SoloRow): string[] {
  const { figures } = row;
  const { latencyUs } = figures ?? {};
  const optional = (us: number | null | undefined) => (us === null || us === undefined ? '-' : asMs(us));
  return [
    cell(row.title),
    latency(row),
    row.isBaseline ? '' : change(row),
    figures?.change ? `${asMsChange(figures.change.minUs)} … ${asMsChange(figures.change.maxUs)}` : '',
    figures ? asRate(figures.throughput) : INVALID,
    figures?.change ? asPercentChange(figures.change.throughput) : '',
    ...[latencyUs?.p50, latencyUs?.p95, latencyUs?.p99].map(optional),
    String(row.errors),
  ];
}

function latency({ figures }: SoloRow): string {
  return figures ? asMs(figures.latencyUs.mean) : INVALID;
}

function change({ figures }: SoloRow): string {
  return figures?.change ? asMsChange(figures.change.meanUs) : INVALID;
}

function withNotes(table: string, result: Result, rows: SoloRow[]): string {
  return [table, ...notes(result, rows)].join('\n\n');
}

function statisticsSection({ title, typical }: SoloRow): string {
  if (!typical) return `${title}: not measured`;
  const { measurement, round } = typical;
  return [
    `### ${title}`,
    '',
    `Round ${round}: \`${measurement.command.join(' ')}\``,
    '',
    '```',
    measurement.load.statistics,
    '```',
  ].join('\n');
}

/** Text that can't break out of its table cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
