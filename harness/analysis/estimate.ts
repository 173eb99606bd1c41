/**
 * How the pairs of a task become costs with intervals. Whoever changes the estimate changes this
 * file: nothing else makes an interval for what a row costs.
 */
import { mean, sampleStandardDeviation, sum } from 'simple-statistics';
import { type Interval, studentInterval } from './interval.ts';

/** One quantity of the two servers of one pair, in the unit of the quantity. */
export interface Sample {
  baseline: number;
  scenario: number;
}

/** What a row costs, or another mean, with its interval; all in the unit of the quantity. */
export interface Estimate extends Interval {
  /** Pairs, which are the unit of repetition. */
  n: number;
  /** Infinite for a single pair. */
  standardError: number;
  /** Scenario minus baseline, one for each pair. */
  differences: number[];
}

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
export const MIN_PAIRS = 3;

/**
 * Returns what each row of a task costs: one estimate for each row, in their order; null for a row
 * in which the quantity was not measured. The cost is the mean over pairs of scenario minus
 * baseline. Intervals hold together.
 */
export function estimateRows(rows: (Sample[] | null)[]): (Estimate | null)[] {
  const measured = rows.filter((samples) => samples !== null).length;
  return rows.map((samples) => samples && meanEstimate(samples.map(differenceOf), measured));
}

/** Returns scenario minus baseline. */
export function differenceOf({ baseline, scenario }: Sample): number {
  return scenario - baseline;
}

/**
 * Returns the interval of an estimate, made anew to hold together with those of another number of
 * rows.
 */
export function intervalAmong(rows: number, estimate: Estimate): Interval {
  return studentInterval(estimate.value, estimate.standardError, degreesOfFreedom(estimate), rows);
}

/**
 * Returns how far an estimate lies above `reference`, with an interval that holds together with
 * those of `rows`.
 */
export function distanceAmong(rows: number, estimate: Estimate, reference: number): Interval {
  return intervalAmong(rows, { ...estimate, value: estimate.value - reference });
}

/**
 * Returns how much more the second of two rows of a run costs than the first. `rows`: intervals
 * that hold together.
 */
export function changeBetweenRows(first: Estimate, second: Estimate, rows: number): Interval {
  return welch(first, second, rows);
}

/**
 * Returns how much more a row costs in the newer of two runs. `rows`: intervals that hold together.
 */
export function changeBetweenRuns(old: Estimate, current: Estimate, rows: number): Interval {
  return welch(old, current, rows);
}

/**
 * Returns the mean of values, one of each pair, with its standard error s / √n. `rows`: intervals
 * that hold together.
 */
export function meanEstimate(values: number[], rows = 1): Estimate {
  const n = values.length;
  const value = mean(values);
  const standardError =
    n > 1 ? sampleStandardDeviation(values) / Math.sqrt(n) : Number.POSITIVE_INFINITY;
  const interval = studentInterval(value, standardError, n - 1, rows);
  return { ...interval, n, standardError, differences: values };
}

/** Returns current minus old, of independent means whose variances may differ. */
export function welch(old: Estimate, current: Estimate, rows: number): Interval {
  return weightedSum([current, old], [1, -1], rows);
}

/**
 * Returns Σ f m, the sum of independent means m, each times its factor f. Their variances may differ,
 * v = (f × standard error)²: the degrees of freedom are (Σ v)² / Σ (v² / (n - 1)), those of Welch
 * and Satterthwaite (B. L. Welch, Biometrika 34, 1947, 28-35).
 */
export function weightedSum(means: Estimate[], factors: number[], rows: number): Interval {
  const parts = means.map((estimate, at) => {
    const factor = factors[at] ?? 0;
    return {
      value: factor * estimate.value,
      variance: (factor * estimate.standardError) ** 2,
      freedom: degreesOfFreedom(estimate),
    };
  });
  const variance = sum(parts.map((part) => part.variance));
  const freedom = variance ** 2 / sum(parts.map((part) => part.variance ** 2 / part.freedom));
  // Infinity times a factor of zero, for a single pair, is not a number.
  const standardError = Number.isNaN(variance) ? Number.POSITIVE_INFINITY : Math.sqrt(variance);
  return studentInterval(sum(parts.map(({ value }) => value)), standardError, freedom, rows);
}

/** Returns with how many degrees of freedom the standard error of a mean is known. */
function degreesOfFreedom({ n }: Estimate): number {
  return n - 1;
}
