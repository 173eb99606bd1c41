import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import type { Estimate } from './model.ts';

const LEVEL = 0.95;

/** Where a true value is to be expected. */
export interface Interval {
  low: number;
  high: number;
}

/**
 * The mean of one or more differences, with an interval at the level at which the intervals of all `rows` of a table hold
 * together with 95 %. Rows have pairs of their own, so they are independent, and the level is 0.95^(1/rows)
 * (Z. Šidák, Journal of the American Statistical Association 62, 1967, 626-633).
 */
export function estimate(differences: number[], rows = 1): Estimate {
  return estimateAt(simultaneousLevel(rows), differences);
}

/**
 * The mean of independent values with Student's t interval. The pair is the unit: processes differ for as long as they
 * live, which no number of slices averages out.
 */
export function estimateAt(level: number, values: number[]): Estimate {
  const n = values.length;
  const value = mean(values);
  const standardError = n > 1 ? sampleStandardDeviation(values) / Math.sqrt(n) : Number.POSITIVE_INFINITY;
  return { value, ...tInterval(level, { value, standardError, freedom: n - 1 }), n, standardError };
}

/** Student's t interval around a value whose standard error is known with so many degrees of freedom. */
export function tInterval(
  level: number,
  { value, standardError, freedom }: { value: number; standardError: number; freedom: number },
): Interval {
  const isCertain = standardError === 0 || !Number.isFinite(standardError);
  const width = isCertain ? standardError : tQuantile((1 + level) / 2, freedom) * standardError;
  return { low: value - width, high: value + width };
}

export function simultaneousLevel(rows: number): number {
  return LEVEL ** (1 / rows);
}

/** What stands behind the ±. */
export function halfWidth({ low, high }: Interval): number {
  return (high - low) / 2;
}

export function holdsZero(interval: Interval): boolean {
  return holds(interval, 0);
}

export function holds({ low, high }: Interval, value: number): boolean {
  return low <= value && value <= high;
}
