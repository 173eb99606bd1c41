import type { Analysis } from '../analysis/analysis.ts';
import { fittedSentences, fittedTables } from './fitted.ts';
import { asRemark, howMeasured, methodNotes } from './notes.ts';
import { detailTables, docsTable, type Table } from './tables.ts';

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
