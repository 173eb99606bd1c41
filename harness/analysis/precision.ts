import type { Result } from '../result/schema.ts';
import { type Estimate, halfWidth } from './estimate.ts';
import { rowsOf, tasksOf } from './rows.ts';

/**
 * How many pairs each scenario needs for intervals of CPU per request of ± the precision that was asked for: those that
 * were planned, or more. Decided once, from the pairs so far (two stages: C. Stein, Annals of Mathematical Statistics 16,
 * 1945, 243-258): whoever looks after every pair often stops at an interval that is narrow by chance.
 */
export function pairsNeeded(result: Result): number {
  const { precision, pairs } = result.configuration;
  if (!precision) return pairs;
  const needed = tasksOf(result).flatMap((task) => {
    const unitUs = precision.unit === 'us' ? 1 : (task.baseline.figures?.cpuUs ?? Number.NaN) / 100;
    const costs = rowsOf(task).flatMap(({ change }) => change.cpuUs?.estimate ?? []);
    return costs.map((cost) => pairsForWidth(cost, precision.value * unitUs));
  });
  return Math.max(pairs, ...needed);
}

/** Stein's (t s / d)² for a half-width d, as that of the first stage is t s / √n. A single pair, or no width, can't tell. */
export function pairsForWidth(first: Estimate, width: number): number {
  return first.n > 1 && width > 0 ? Math.ceil(first.n * (halfWidth(first) / width) ** 2) : 0;
}
