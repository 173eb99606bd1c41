import { qt as tQuantile } from 'lib-r-math.js';

/**
 * A figure, and where the true one is to be expected with 95 %. All three have the unit of the
 * figure.
 */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** A value, and how well it is known. */
export interface EstimatedValue {
  value: number;
  standardError: number;
  degreesOfFreedom: number;
}

/** A variance, and how well it is known. */
export interface EstimatedVariance {
  variance: number;
  degreesOfFreedom: number;
}

/** The part of tables whose intervals all hold. */
const LEVEL = 0.95;

/**
 * Returns Student's t interval, value ± t × standard error, for a value whose standard error is
 * known with so many degrees of freedom. An infinite standard error gives an infinite interval.
 * @param intervalCount so many intervals of a table hold together: each is at the level
 * 0.95^(1/intervalCount), because rows have pairs of their own, and so are independent (Z. Šidák,
 * Journal of the American Statistical Association 62, 1967, 626-633)
 * @param tableLevel the part of tables whose intervals are all to hold
 */
export function studentInterval(
  { value, standardError, degreesOfFreedom }: EstimatedValue,
  intervalCount: number,
  tableLevel = LEVEL,
): Interval {
  const level = tableLevel ** (1 / intervalCount);
  const needsNoFactor = standardError === 0 || !Number.isFinite(standardError);
  const factor = needsNoFactor ? 1 : tQuantile((1 + level) / 2, degreesOfFreedom);
  const half = factor * standardError;
  return { value, low: value - half, high: value + half };
}

/** Returns what stands behind the ±. */
export function halfWidth({ low, high }: Interval): number {
  return (high - low) / 2;
}

/** Returns an interval divided by a number, whose own error is left out. */
export function dividedBy({ value, low, high }: Interval, by: number): Interval {
  return { value: value / by, low: low / by, high: high / by };
}

/** Whether there may be no difference. */
export function holdsZero({ low, high }: Interval): boolean {
  return low <= 0 && high >= 0;
}

/** Whether the ends of an interval are known; of a single pair, nobody knows them. */
export function isBounded({ low, high }: Interval): boolean {
  return Number.isFinite(high - low);
}

/**
 * An interval no wider than ± this part of the whole is narrow enough to call a difference small.
 */
export const SMALL_SHARE = 0.05;

/**
 * What the interval of a difference says. `significant`: there is one. `insignificant`: there may
 * be none, and a large one is ruled out. `unclear`: there may be none, or one of more than
 * `SMALL_SHARE` of the whole.
 */
export type Clarity = 'significant' | 'insignificant' | 'unclear';

/**
 * Returns what the interval of a difference says.
 * @param whole what the difference is a part of, such as all that a request takes of the baseline;
 * without it, an interval that holds zero is `insignificant`, and one without ends `unclear`
 */
export function clarityOf(interval: Interval, whole = Number.NaN): Clarity {
  if (!isBounded(interval)) return 'unclear';
  if (!holdsZero(interval)) return 'significant';
  return halfWidth(interval) > SMALL_SHARE * whole ? 'unclear' : 'insignificant';
}
