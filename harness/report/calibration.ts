import { markdownTable } from 'markdown-table';
import type { Result } from '../results/schema.ts';
import type { Verdict } from '../results/verdict.ts';
import { type CalibrationRow, calibrationRows } from '../stats/calibration.ts';
import { taskResults } from '../stats/tasks.ts';
import { verdictsOf } from '../stats/verdicts.ts';
import { INVALID } from './cells.ts';
import { markdownSafe } from './markdown.ts';
import { notes } from './notes.ts';
import { asUs, asUsChange } from './units.ts';

/** The name of the suite whose costs are known. */
export const CALIBRATION = 'calibration';

/** True against measured extra cost, and how many of the intervals cover the truth. */
export function calibrationReport(raw: Result): string {
  const result = markdownSafe(raw);
  const rows = calibrationRows(result);
  const cells = rows.map((row) => [asUs(row.trueUs), measured(row), interval(row), verdict(row)]);
  const table = markdownTable([['True extra cost', 'Measured', '95 % interval', 'Covered'], ...cells], {
    align: ['r', 'r', 'r', 'l'],
  });
  const covered = rows.filter(({ isCovered }) => isCovered).length;
  return [
    table,
    `${covered} of ${rows.length} intervals cover the truth.`,
    ...notes(result, taskResults(result), shownVerdicts(result)),
  ].join('\n\n');
}

/** All verdicts, but of a calibration those that a cost of 0 µs is not told from none: that is as it should be. */
export function shownVerdicts(result: Result): Verdict[] {
  const verdicts = verdictsOf(result);
  return result.suite.name === CALIBRATION
    ? verdicts.filter(({ kind }) => kind !== 'within-noise')
    : verdicts;
}

function measured({ measuredUs }: CalibrationRow): string {
  return Number.isNaN(measuredUs) ? INVALID : asUsChange(measuredUs);
}

function interval({ intervalUs }: CalibrationRow): string {
  return intervalUs ? `${asUsChange(intervalUs.low)} … ${asUsChange(intervalUs.high)}` : '-';
}

function verdict({ isCovered, intervalUs }: CalibrationRow): string {
  if (!intervalUs) return '-';
  return isCovered ? 'yes' : 'no';
}
