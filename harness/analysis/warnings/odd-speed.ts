import type { Interval } from '../interval.ts';
import { meanEstimate } from '../mean-estimate.ts';
import { samplesOf } from '../quantities.ts';
import type { MeasuredRun, Row, TaskAnalysis } from '../rows.ts';
import { differenceOf } from '../sample.ts';
import { type Finding, finding, validRows } from './finding.ts';

/**
 * A row whose cost at the run's mean speed differs from the plain mean of its differences by more
 * than both intervals: the machine changed in a way that the model does not follow.
 */
export function findOddSpeed({ tasks }: MeasuredRun): Finding[] {
  return tasks.flatMap((task) => {
    const rows = validRows([task]);
    return rows.filter((row) => isOdd(row, rows.length)).map((row) => oddRow(row, task));
  });
}

function isOdd({ pairs, change }: Row, rowCount: number): boolean {
  const samples = samplesOf(pairs, 'cpuUs');
  if (!samples || !change.cpuUs) return false;
  return areApart(change.cpuUs, meanEstimate(samples.map(differenceOf), rowCount));
}

function areApart(one: Interval, other: Interval): boolean {
  return one.high < other.low || other.high < one.low;
}

function oddRow(row: Row, { prefix }: TaskAnalysis): Finding {
  const title = prefix + row.title;
  return finding(
    `CPU per request may be wrong: the cost of ${title} did not follow the speed of the machine`,
    'Measure again, with more pairs, while nothing else runs',
    row,
  );
}
