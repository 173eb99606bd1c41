import type { Analysis } from '../analysis/analysis.ts';
import { intervalCell } from '../words/units.ts';
import { asRemark, howMeasured, methodNotes } from './notes.ts';
import { COST_NAMES, detailTables, docsTable, type Table } from './tables.ts';

/** What stands under one heading or none, in this order. Plain text: every format shows all of it, and escapes it as it needs. */
export interface Section {
  heading?: string;
  tables?: Table[];
  paragraphs?: string[];
  list?: string[];
}

/** What a reader came for: the table for documentation, and how it came about. */
export function opening(analysis: Analysis): Section {
  return {
    tables: [docsTable(analysis), ...fittedTables(analysis)],
    paragraphs: [...fittedSentences(analysis), ...howMeasured(analysis)],
  };
}

/** Everything else: more tables, all verdicts with what to do about them, and how it was measured. */
export function details(analysis: Analysis): Section[] {
  const warnings = analysis.verdicts.map(asRemark);
  return [
    ...detailTables(analysis),
    { heading: 'Warnings', list: warnings.length > 0 ? warnings : ['None.'] },
    { heading: 'How it was measured', list: methodNotes(analysis) },
  ];
}

/** The lines through the values of a sweep; no table if there are none. */
function fittedTables({ curves }: Analysis): Table[] {
  const rows = curves.map(({ title, quantity, fixed, slope, misfit, parameter }) => [
    `${title}, ${COST_NAMES[quantity]}`,
    ...[fixed, slope].map((coefficient) => intervalCell(quantity, coefficient)),
    misfit ? `not at ${parameter}=${misfit.value}` : 'yes',
  ]);
  const figures = ['Fixed', `For each ${curves[0]?.unit}`, 'A line fits'];
  return rows.length > 0 ? [{ names: ['Cost'], figures, rows }] : [];
}

/** The same in words, of CPU time, and how it came about. */
function fittedSentences({ curves }: Analysis): string[] {
  const fitting = curves.filter(({ quantity, misfit }) => quantity === 'cpuUs' && !misfit);
  const said = fitting.map(({ title, quantity, unit, fixed, slope }) => {
    const [each, always] = [slope, fixed].map((coefficient) => intervalCell(quantity, coefficient).replace('+', ''));
    return `${title} adds ${always} of server CPU to each request, and ${each} for each ${unit}.`;
  });
  const how = 'Fitted to the pairs by weighted least squares; both intervals of a line hold at once.';
  return said.length > 0 ? [[...said, how].join(' ')] : [];
}
