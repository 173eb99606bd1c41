import { estimate, type Interval } from './estimate.ts';
import { type Row, rowsOf, type TaskAnalysis } from './task.ts';

/**
 * Measured minus true CPU per request of a row whose cost is known, in µs. A server's true cost differs a little from pair
 * to pair, so it is the mean of the pairs' own errors. Null if nobody knows the cost, or if it was not measured.
 */
export function calibrationError({ trueCostsUs, change }: Row, task: TaskAnalysis): Interval | null {
  if (!trueCostsUs || !change.cpuUs) return null;
  const errors = change.cpuUs.differences.map((measuredUs, pair) => measuredUs - (trueCostsUs[pair] ?? Number.NaN));
  return estimate(errors, rowsOf(task).length);
}
