/**
 * How estimates are compared: with the baseline, a number, or each other, in one run or two. What
 * an estimate is says `mean-estimate.ts`.
 */
import { sum } from 'simple-statistics';
import { dividedBy, type EstimatedVariance, type Interval, studentInterval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
export const MIN_PAIRS = 3;

/** Returns the interval of an estimate, made anew to be one of so many that hold together. */
export function intervalAmong(intervalCount: number, estimate: Estimate): Interval {
  return studentInterval(estimate, intervalCount, estimate.tableLevel);
}

/**
 * Returns the scenario's total as a multiple of the baseline's, 1 + cost / B. The cost is that at
 * the run's mean speed, at which the baseline takes B: so its interval holds when the cost's does.
 */
export function multipleOf({ value, low, high, baseline }: Estimate): Interval {
  return {
    value: 1 + value / baseline,
    low: 1 + low / baseline,
    high: 1 + high / baseline,
  };
}

/**
 * Returns how much more a row costs in the newer of two runs, at the speed of the older one. The
 * machine's speed may have changed, and nobody knows how far a cost follows it: computing does
 * fully, waiting for memory less. So the interval reaches from a cost that follows nothing of the
 * change to one that follows all. `intervalCount`: so many hold together.
 */
export function changeAtOldSpeed(
  old: Estimate,
  current: Estimate,
  intervalCount: number,
): Interval {
  const ifNoneFollows = changeBetweenRuns(old, current, intervalCount);
  const multiples = welch(inBaselines(old), inBaselines(current), intervalCount);
  const ifAllFollows = dividedBy(multiples, 1 / old.baseline);
  const low = Math.min(ifNoneFollows.low, ifAllFollows.low);
  const high = Math.max(ifNoneFollows.high, ifAllFollows.high);
  return { value: (low + high) / 2, low, high };
}

function inBaselines(estimate: Estimate): Estimate {
  const { value, standardError, baseline } = estimate;
  return { ...estimate, value: value / baseline, standardError: standardError / baseline };
}

/**
 * Returns how far an estimate lies above `reference`, with one of `intervalCount` intervals that
 * hold together.
 */
export function distanceAmong(
  intervalCount: number,
  estimate: Estimate,
  reference: number,
): Interval {
  return intervalAmong(intervalCount, { ...estimate, value: estimate.value - reference });
}

/**
 * Returns how much more the second of two rows of a task costs than the first. What their errors
 * share, since they have one slope, counts once. `intervalCount`: so many hold together.
 */
export function changeBetweenRows(
  first: Estimate,
  second: Estimate,
  intervalCount: number,
): Interval {
  const parts = [first, second].map(ownPartOf);
  const variance = sum(parts.map((part) => part.variance));
  const change = {
    value: second.value - first.value,
    standardError: Math.hypot(Math.sqrt(variance), second.sharedError - first.sharedError),
    degreesOfFreedom: satterthwaite(parts),
  };
  return studentInterval(change, intervalCount, tableLevelOf([first, second]));
}

function ownPartOf({ standardError, sharedError, degreesOfFreedom }: Estimate): EstimatedVariance {
  const variance = Math.max(0, standardError ** 2 - sharedError ** 2);
  return { variance, degreesOfFreedom };
}

/**
 * Returns how much more a row costs in the newer of two runs, which had two speeds: the error of
 * each run's mean speed counts. `intervalCount`: so many hold together.
 */
export function changeBetweenRuns(
  old: Estimate,
  current: Estimate,
  intervalCount: number,
): Interval {
  const parts = [old, current].flatMap((estimate) => [partOf(estimate), speedPartOf(estimate)]);
  return intervalOfParts(
    current.value - old.value,
    parts,
    intervalCount,
    tableLevelOf([old, current]),
  );
}

function partOf({ standardError, degreesOfFreedom }: Estimate): EstimatedVariance {
  return { variance: standardError ** 2, degreesOfFreedom };
}

function speedPartOf({ speedError, n }: Estimate): EstimatedVariance {
  return { variance: speedError ** 2, degreesOfFreedom: Math.max(1, n - 1) };
}

/** Returns the highest level of several estimates; undefined if all have the usual one. */
function tableLevelOf(estimates: readonly Estimate[]): number | undefined {
  const levels = estimates.flatMap(({ tableLevel }) => tableLevel ?? []);
  return levels.length > 0 ? Math.max(...levels) : undefined;
}

function intervalOfParts(
  value: number,
  parts: EstimatedVariance[],
  intervalCount: number,
  tableLevel?: number,
): Interval {
  const standardError = Math.sqrt(sum(parts.map((part) => part.variance)));
  const degreesOfFreedom = satterthwaite(parts);
  return studentInterval({ value, standardError, degreesOfFreedom }, intervalCount, tableLevel);
}

/** Returns current minus old, of independent means whose variances may differ. */
export function welch(old: Estimate, current: Estimate, intervalCount: number): Interval {
  return weightedSum([current, old], [1, -1], intervalCount);
}

/**
 * Returns Σ f m, the sum of independent means m, each times its factor f. Their variances may
 * differ, v = (f × standard error)²: the degrees of freedom are (Σ v)² / Σ (v² / (n - 1)), those of
 * Welch and Satterthwaite (B. L. Welch, Biometrika 34, 1947, 28-35).
 */
export function weightedSum(means: Estimate[], factors: number[], intervalCount: number): Interval {
  const parts = means.map((estimate, at) => {
    const factor = factors[at] ?? 0;
    return {
      value: factor * estimate.value,
      variance: (factor * estimate.standardError) ** 2,
      degreesOfFreedom: estimate.degreesOfFreedom,
    };
  });
  const variance = sum(parts.map((part) => part.variance));
  const degreesOfFreedom = satterthwaite(parts);
  // Infinity times a factor of zero, for a single pair, is not a number.
  const standardError = Number.isNaN(variance) ? Number.POSITIVE_INFINITY : Math.sqrt(variance);
  const total = { value: sum(parts.map((part) => part.value)), standardError, degreesOfFreedom };
  return studentInterval(total, intervalCount, tableLevelOf(means));
}

/**
 * Returns the degrees of freedom of a sum of variances, (Σ v)² / Σ (v² / f) (F. E. Satterthwaite,
 * Biometrics Bulletin 2, 1946, 110-114).
 */
function satterthwaite(parts: EstimatedVariance[]): number {
  const variance = sum(parts.map((part) => part.variance));
  return variance ** 2 / sum(parts.map((part) => part.variance ** 2 / part.degreesOfFreedom));
}
