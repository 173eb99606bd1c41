import { linearRegression, mean, sum } from 'simple-statistics';
import { type Interval, studentInterval } from './interval.ts';

/** Fewer independent values tell nothing about a trend. */
const MIN_VALUES = 4;
/** The slope of no points. */
const UNKNOWN: Interval = {
  value: Number.NaN,
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
};

/**
 * Returns by how much y rises for each unit of x, by least squares, with its 95 % interval.
 * Neighbours in time resemble each other, so they count as fewer independent values: n (1 - r) / (1
 * + r), where r is the correlation of neighbouring residuals (Santer et al., Journal of Geophysical
 * Research 105, 2000, 7337-7356). The interval is infinite if too few are left.
 */
export function slopeEstimate(points: [x: number, y: number][]): Interval {
  if (points.length === 0) return UNKNOWN;
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
  return studentInterval({ value, standardError, degreesOfFreedom: values - 2 }, 1);
}
