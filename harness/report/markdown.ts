import { markdownTable } from 'markdown-table';
import type { Analysis } from '../analysis/model.ts';
import { asRemark, calibrationNote, commands, howMeasured, methodNotes, remarks } from './notes.ts';
import { detailTables, docsTable, type Table } from './tables.ts';
import { codeSpan, escapeMarkdown } from './text.ts';

/** What to paste into documentation: one table, one line of how, and two lines of remarks at most. */
export function docsReport(analysis: Analysis): string {
  return joined([...opening(analysis), list(remarks(analysis, '--format full'))]);
}

/** Everything that is known: more tables, all verdicts with what to do about them, and how it was measured. */
export function fullReport(analysis: Analysis): string {
  const load = commands(analysis).map(({ title, command }) => `- ${escapeMarkdown(title)}: ${codeSpan(command)}`);
  return joined([
    ...opening(analysis),
    ...detailTables(analysis).map((table) => section(escapeMarkdown(table.caption), asMarkdown(table))),
    section('Remarks', list(analysis.verdicts.map(asRemark))),
    section('How it was measured', list(methodNotes(analysis))),
    section("The load tool's commands", load.join('\n')),
  ]);
}

/** The table in Markdown, its cells escaped. */
export function asMarkdown({ names, figures, rows }: Table): string {
  const cells = [[...names, ...figures], ...rows].map((row) => row.map(escapeMarkdown));
  return markdownTable(cells, { align: [...names.map(() => 'l'), ...figures.map(() => 'r')] });
}

function opening(analysis: Analysis): string[] {
  const lines = [...calibrationNote(analysis), howMeasured(analysis)];
  return [asMarkdown(docsTable(analysis)), ...lines.map(escapeMarkdown)];
}

function section(heading: string, content: string): string {
  return content && `### ${heading}\n\n${content}`;
}

function list(items: string[]): string {
  return items.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
}

function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
