import { remedyOf } from '../../result/faults.ts';
import { counted } from '../../words/text.ts';
import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** With more of the slices left out than this, the servers can't take the rate. */
const MOST_LEFT_OUT = 0.1;

/** Rows many of whose slices were left out, because a steady rate was not held in them. */
export function findRatesNotHeld({ tasks }: MeasuredRun): Finding[] {
  const affected = validRows(tasks).filter(
    ({ leftOut }) => leftOut.count > MOST_LEFT_OUT * leftOut.of,
  );
  return affected.map((row) => {
    const { count, of: all, why } = row.leftOut;
    const seen = `the rate was not held in ${count} of ${counted(all, 'slice')} (${why})`;
    return finding(
      `${row.label}: figures are of fewer slices: ${seen}`,
      remedyOf('rate-not-held'),
      row,
    );
  });
}
