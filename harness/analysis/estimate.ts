import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { linearRegression, mean, sampleStandardDeviation, sum } from 'simple-statistics';

/** A figure, and where the true one is to be expected. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** The mean of the differences of `n` pairs, the unit of repetition, with its 95 % interval, which is infinite for a single pair. */
export interface Estimate extends Interval {
  n: number;
  standardError: number;
  differences: number[];
}

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
export const MIN_PAIRS = 3;

/** The mean of differences, one of each pair. Its interval holds together with those of the other `rows` of its table. */
export function estimate(differences: number[], rows = 1): Estimate {
  const n = differences.length;
  const value = mean(differences);
  const standardError =
    n > 1 ? sampleStandardDeviation(differences) / Math.sqrt(n) : Number.POSITIVE_INFINITY;
  return { ...tInterval(value, standardError, n - 1, rows), n, standardError, differences };
}

/**
 * The sum of independent means, each times its factor, whose variances may differ: the degrees of freedom are those of Welch
 * and Satterthwaite (B. L. Welch, Biometrika 34, 1947, 28-35).
 */
export function weightedSum(means: Estimate[], factors: number[], rows: number): Interval {
  const factorOf = (at: number) => factors[at] ?? 0;
  const variances = means.map(({ standardError }, at) => (factorOf(at) * standardError) ** 2);
  const variance = sum(variances);
  const freedom =
    variance ** 2 / sum(means.map(({ n }, at) => (variances[at] ?? 0) ** 2 / (n - 1)));
  const value = sum(means.map((each, at) => factorOf(at) * each.value));
  // A sum of infinite numbers, of single pairs, is none.
  return tInterval(
    value,
    Number.isNaN(variance) ? Number.POSITIVE_INFINITY : Math.sqrt(variance),
    freedom,
    rows,
  );
}

/** New minus old, of independent means. */
export function welch(old: Estimate, current: Estimate, rows: number): Interval {
  return weightedSum([current, old], [1, -1], rows);
}

/**
 * Student's t interval around a value whose standard error is known with so many degrees of freedom, at the level at which
 * those of all rows hold together with 95 %. Rows have pairs of their own, so they are independent (Z. Šidák, Journal of the
 * American Statistical Association 62, 1967, 626-633).
 */
function tInterval(value: number, standardError: number, freedom: number, rows: number): Interval {
  const level = 0.95 ** (1 / rows);
  const isCertain = standardError === 0 || !Number.isFinite(standardError);
  const factor = isCertain ? 1 : tQuantile((1 + level) / 2, freedom);
  return { value, low: value - factor * standardError, high: value + factor * standardError };
}

/** What stands behind the ±. */
export const halfWidth = ({ low, high }: Interval) => (high - low) / 2;
/** Whether there may be no difference. */
export const holdsZero = ({ low, high }: Interval) => low <= 0 && high >= 0;
/** Whether its ends are known; of a single pair, nobody knows them. */
export const isBounded = ({ low, high }: Interval) => Number.isFinite(high - low);

/** Fewer independent values tell nothing about a trend. */
const MIN_VALUES = 4;

/**
 * By how much y rises for each unit of x, by least squares, with its 95 % interval. Neighbours in time resemble each other,
 * so they count as fewer independent values: n (1 - r) / (1 + r), where r is the correlation of neighbouring residuals
 * (Santer et al., Journal of Geophysical Research 105, 2000, 7337-7356). Infinite if too few are left.
 */
export function slopeEstimate(points: [x: number, y: number][]): Interval {
  const { m: value, b } = linearRegression(points);
  const residuals = points.map(([x, y]) => y - (b + value * x));
  const squares = sum(residuals.map((each) => each ** 2));
  const neighbours = sum(residuals.slice(1).map((each, at) => each * (residuals[at] ?? 0)));
  const correlation = squares > 0 ? Math.max(0, neighbours / squares) : 0;
  const values = (points.length * (1 - correlation)) / (1 + correlation);
  const middle = mean(points.map(([x]) => x));
  const spread = sum(points.map(([x]) => (x - middle) ** 2));
  const standardError =
    values >= MIN_VALUES ? Math.sqrt(squares / (values - 2) / spread) : Number.POSITIVE_INFINITY;
  return tInterval(value, standardError, values - 2, 1);
}
