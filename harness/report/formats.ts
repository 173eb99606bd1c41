import { markdownTable } from 'markdown-table';
import type { Analysis } from '../analysis/analysis.ts';
import { halfWidth } from '../analysis/estimate.ts';
import { titledRows } from '../analysis/task.ts';
import { CHANGE_UNITS } from '../analysis/units.ts';
import { fittedSentences, fittedTable } from './fitted.ts';
import type { Format } from './format-names.ts';
import { asRemark, howMeasured, methodNotes, remarks } from './notes.ts';
import { COST_NAMES, COSTS, detailTables, docsTable, type Table } from './tables.ts';
import { escapeMarkdown, printable, printableJson } from './text.ts';

/** The text of each format, fit for a terminal. */
export const RENDERERS: Record<Format, (analysis: Analysis) => string> = {
  docs: docsReport,
  full: fullReport,
  json: asJson,
  'github-action-benchmark': (analysis) => asJson(benchmarkEntries(analysis)),
};

/** What to paste into documentation: one table, one line of how, and two lines of remarks at most. */
function docsReport(analysis: Analysis): string {
  return joined([...opening(analysis), list(remarks(analysis, 'with --format full'))]);
}

/** Everything that is known: more tables, all verdicts with what to do about them, and how it was measured. */
function fullReport(analysis: Analysis): string {
  return joined([
    ...opening(analysis),
    ...detailTables(analysis).map((table) => section(table.caption, asMarkdown(table))),
    section('Warnings', list(analysis.verdicts.map(asRemark))),
    section('How it was measured', list(methodNotes(analysis))),
  ]);
}

/** The table in Markdown, its cells escaped. */
export function asMarkdown({ names, figures, rows }: Omit<Table, 'caption'>): string {
  const cells = [[...names, ...figures], ...rows].map((row) => row.map(escapeMarkdown));
  return markdownTable(cells, { align: [...names.map(() => 'l'), ...figures.map(() => 'r')] });
}

function opening(analysis: Analysis): string[] {
  const fitted = fittedTable(analysis);
  const words = [...fittedSentences(analysis), ...howMeasured(analysis)].map(escapeMarkdown);
  return [asMarkdown(docsTable(analysis)), ...(fitted ? [asMarkdown(fitted)] : []), ...words];
}

function section(heading: string, content: string): string {
  return content && `### ${heading}\n\n${content}`;
}

/** A list in Markdown, its items escaped; empty if there are none. */
export function list(items: string[]): string {
  return items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
}

/** Paragraphs of Markdown, without those that are empty, fit for a terminal. */
export function joined(parts: (string | false | null)[]): string {
  return printable(parts.filter(Boolean).join('\n\n'));
}

/** The changes in ms and in µs, as that action reads them by the name of `customSmallerIsBetter`. */
function benchmarkEntries(analysis: Analysis) {
  return COSTS.flatMap((quantity) => {
    const { unit, factor } = CHANGE_UNITS[quantity];
    return titledRows(analysis.tasks).flatMap(({ title, change }) => {
      const estimate = change[quantity]?.estimate;
      if (!estimate) return [];
      const range = halfWidth(estimate) * factor;
      return {
        name: `${title}, ${COST_NAMES[quantity]}`,
        unit,
        value: estimate.value * factor,
        ...(Number.isFinite(range) && { range: `± ${Number(range.toPrecision(2))}` }),
        extra: howMeasured(analysis).join(' '),
      };
    });
  });
}

/** Infinite numbers become null. */
function asJson(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}
