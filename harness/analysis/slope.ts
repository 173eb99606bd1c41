import jstat from 'jstat';
import { linearRegression, mean, sum } from 'simple-statistics';
import type { Interval } from './estimate.ts';

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
  if (!(values >= MIN_VALUES)) return { value, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  const middle = mean(points.map(([x]) => x));
  const spread = sum(points.map(([x]) => (x - middle) ** 2));
  const reach = jstat.studentt.inv(0.975, values - 2) * Math.sqrt(squares / (values - 2) / spread);
  return { value, low: value - reach, high: value + reach };
}
