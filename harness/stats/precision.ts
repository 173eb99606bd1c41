import type { Result } from '../results/schema.ts';
import { type DuetEstimate, duetSummary } from './duet.ts';
import { halfWidth } from './interval.ts';

/** The scenarios whose interval is wider than the precision that was asked for; none where none was asked for. */
export function impreciseScenarios(result: Result): string[] {
  const { precision } = result.configuration;
  if (!precision) return [];
  const { rows, noiseFloor } = duetSummary(result);
  return (
    [noiseFloor, ...rows]
      // An invalid row does not get better by more of it.
      .filter(({ estimate }) => estimate && widthOf(estimate, precision.unit) > precision.value)
      .map(({ scenario }) => scenario)
  );
}

/** Half the width of the interval: µs, or % of the baseline's CPU per request. */
function widthOf({ changeUsInterval, ratioInterval }: DuetEstimate, unit: 'us' | '%'): number {
  if (!changeUsInterval || !ratioInterval) return Number.POSITIVE_INFINITY;
  return unit === 'us' ? halfWidth(changeUsInterval) : halfWidth(ratioInterval) * 100;
}
