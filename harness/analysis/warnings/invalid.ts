import { faultText, remedyOf } from '../../result/faults.ts';
import { counted } from '../../words/text.ts';
import { isValid, type MeasuredRun, type Row, rowsWithNoiseFloor } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** Rows that have no figures, because a pair has a fault. */
export function findInvalidRows({ tasks }: MeasuredRun): Finding[] {
  return tasks.flatMap(rowsWithNoiseFloor).flatMap((row) => invalidRow(row) ?? []);
}

function invalidRow(row: Row): Finding | null {
  const { label, pairs, faults } = row;
  const [first] = faults;
  if (first === undefined) return null;
  const failed = pairs.filter((pair) => !isValid(pair)).length;
  const seen = `${failed} of ${counted(pairs.length, 'pair')} failed. The first fault:`;
  const text = `${label} has no figures: ${seen} ${faultText(first)}`;
  return finding(text, remedyOf(first.kind), row, first.kind);
}
