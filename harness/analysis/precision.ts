import type { Result } from '../result/schema.ts';
import { analyse } from './analysis.ts';
import { halfWidth } from './estimate.ts';
import { rowsOf } from './finding.ts';
import type { Estimate, Row, TaskAnalysis } from './model.ts';

/**
 * How many pairs each scenario needs for intervals of CPU per request of ± the precision that was asked for: those that
 * were planned, or more. Decided once, from the pairs so far (two stages: C. Stein, Annals of Mathematical Statistics 16,
 * 1945, 243-258), because whoever looks after every pair, and stops at a narrow interval, often stops at one that is
 * narrow by chance.
 */
export function pairsNeeded(result: Result): number {
  const { precision, pairs } = result.configuration;
  if (!precision) return pairs;
  const { value, unit } = precision;
  const needed = analyse(result).tasks.flatMap((task) => {
    const widthUs = unit === 'us' ? value : (baselineUs(task) * value) / 100;
    return rowsOf(task).map((row) => pairsOf(row, widthUs));
  });
  return Math.max(pairs, ...needed);
}

function baselineUs({ baseline }: TaskAnalysis): number {
  return baseline.figures?.cpuUs ?? Number.NaN;
}

/** A row that can't tell, because it is invalid or has a single pair, needs none. */
function pairsOf({ change }: Row, widthUs: number): number {
  const found = change.cpuUs?.estimate;
  return found && found.n > 1 ? pairsForWidth(found, widthUs) : 0;
}

/** Stein's (t s / d)² for a half-width d, as that of the first stage is t s / √n. */
export function pairsForWidth(first: Estimate, width: number): number {
  return Math.ceil(first.n * (halfWidth(first) / width) ** 2);
}
