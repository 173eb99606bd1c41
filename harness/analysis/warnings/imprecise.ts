import type { Precision } from '../../result/schema.ts';
import { counted } from '../../words/text.ts';
import { precisionsOf, precisionText, type RowPrecision, withinText } from '../precision.ts';
import { isOfRevisions, type MeasuredRun, type Row, rowsWithNoiseFloor } from '../rows.ts';
import { type Finding, finding, listed } from './finding.ts';

/** Rows that are not known as well as was asked for. A row with faults has a warning of its own. */
export function findImprecise({ tasks, header }: MeasuredRun): Finding[] {
  const { within, pairs: leastPairs, mostPairs } = header.configuration;
  if (within === null) return [];
  const wanted = { within, leastPairs, mostPairs: mostPairs ?? leastPairs };
  const rows = tasks.flatMap(rowsWithNoiseFloor);
  const short = precisionsOf(rows.map(rowToKnow), wanted).filter(
    ({ isKnown, costUs }) => !isKnown && costUs !== null,
  );
  if (short.length === 0) return [];
  const texts = short.map((row) => shortText(row, within));
  const seen = `${counted(short.length, 'row')} not known within ${withinText(within)}: `;
  return [finding(seen + listed(texts), remedyOf(header))];
}

function remedyOf({ endReason, suite }: MeasuredRun['header']): string {
  if (endReason === 'short') return 'Ask for less with --within, or measure on a quieter machine';
  return isOfRevisions(suite)
    ? 'Measure again, and give more time with --at-most'
    : 'Go on with --resume, or give more time with --at-most';
}

function rowToKnow({ task, scenario, label, pairs, faults }: Row) {
  const usable = faults.length === 0 ? pairs : [];
  return { task, scenario, label, pairs: pairs.length, usable };
}

function shortText(row: RowPrecision, within: Precision): string {
  const known = precisionText(row, within) || counted(row.pairs, 'pair');
  return `${row.label} (${known})`;
}
