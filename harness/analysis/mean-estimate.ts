/**
 * What an estimate is, and the plain one: a mean with Student's interval. `estimate.ts` makes those
 * of a run.
 */
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { type Interval, studentInterval } from './interval.ts';

/** What a row costs, or another mean, with its interval; all in the unit of the quantity. */
export interface Estimate extends Interval {
  /** Pairs, which are the unit of repetition. */
  n: number;
  /** Infinite for a single pair. */
  standardError: number;
  degreesOfFreedom: number;
  /** What the baseline takes beside it; not a number for a mean of other values. */
  baseline: number;
  /** Scenario minus baseline, one for each pair; by covariance as at the mean speed of the run. */
  differences: number[];
  /** The signed part of the error that all rows of a task share; 0 for a plain mean. */
  sharedError: number;
  /**
   * The error of the run's mean speed, which only counts beside another run; 0 for a plain mean.
   */
  speedError: number;
  /** The part of tables whose intervals are all to hold, if it is not the usual one. */
  tableLevel?: number | undefined;
}

/**
 * Returns the mean of values, one of each pair, with its standard error s / √n.
 * @param intervalCount so many intervals hold together
 * @param tableLevel the part of tables whose intervals are all to hold, if it is not the usual one
 */
export function meanEstimate(values: number[], intervalCount = 1, tableLevel?: number): Estimate {
  const n = values.length;
  const value = mean(values);
  const standardError =
    n > 1 ? sampleStandardDeviation(values) / Math.sqrt(n) : Number.POSITIVE_INFINITY;
  const degreesOfFreedom = n - 1;
  const known = { value, standardError, degreesOfFreedom };
  return {
    ...studentInterval(known, intervalCount, tableLevel),
    n,
    standardError,
    degreesOfFreedom,
    baseline: Number.NaN,
    differences: values,
    sharedError: 0,
    speedError: 0,
    tableLevel,
  };
}
