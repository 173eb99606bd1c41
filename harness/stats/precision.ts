import type { Result } from '../results/schema.ts';
import { type DuetEstimate, duetSummary } from './duet.ts';
import { halfWidth } from './interval.ts';
import { taskResults } from './tasks.ts';

/**
 * For each task the scenarios whose interval is wider than the precision that was asked for; empty where none was asked
 * for, or all are narrow enough.
 */
export function impreciseScenarios(result: Result): Map<string, string[]> {
  const { precision } = result.configuration;
  if (!precision) return new Map();
  const byTask = taskResults(result).map(({ task, result }) => {
    const { rows, noiseFloor } = duetSummary(result);
    const wide = [noiseFloor, ...rows]
      // An invalid row does not get better by more of it.
      .filter(({ estimate }) => estimate && widthOf(estimate, precision.unit) > precision.value)
      .map(({ scenario }) => scenario);
    return [task.name, wide] as const;
  });
  return new Map(byTask.filter(([, scenarios]) => scenarios.length > 0));
}

/** Half the width of the interval: µs, or % of the baseline's CPU per request. */
function widthOf({ changeUsInterval, ratioInterval }: DuetEstimate, unit: 'us' | '%'): number {
  if (!changeUsInterval || !ratioInterval) return Number.POSITIVE_INFINITY;
  return unit === 'us' ? halfWidth(changeUsInterval) : halfWidth(ratioInterval) * 100;
}
