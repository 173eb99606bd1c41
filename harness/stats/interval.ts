import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, sampleStandardDeviation } from 'simple-statistics';

/** Where a true value is to be expected, with 95 % confidence. */
export interface Interval {
  low: number;
  high: number;
}

/** With two values Student's factor is 12.7: an interval that says nothing. */
export const LEAST_VALUES = 3;

/**
 * The 95 % interval of the mean of independent values (Student's t); undefined for fewer than LEAST_VALUES.
 * Exact for normal values, and close to it for means of anything without heavy tails.
 */
export function meanInterval(values: number[]): Interval | undefined {
  if (values.length < LEAST_VALUES) return undefined;
  const standardError = sampleStandardDeviation(values) / Math.sqrt(values.length);
  const halfWidth = tQuantile(0.975, values.length - 1) * standardError;
  return { low: mean(values) - halfWidth, high: mean(values) + halfWidth };
}

/** Half of the interval's width: what stands behind the ±. */
export function halfWidth({ low, high }: Interval): number {
  return (high - low) / 2;
}

export function contains({ low, high }: Interval, value: number): boolean {
  return low <= value && value <= high;
}

/** Both ends, each through the same monotone function. */
export function mapInterval({ low, high }: Interval, map: (value: number) => number): Interval {
  return { low: map(low), high: map(high) };
}
