import { max, mean, min, sum } from 'simple-statistics';
import type { Result } from '../result/schema.ts';
import { distanceAmong, MIN_PAIRS, weightedSum } from './compare-estimates.ts';
import { holdsZero, type Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import { whyTooLow } from './misreading.ts';
import type { TaskAnalysis } from './rows.ts';

/** What a scenario costs over the values of a sweep. */
export interface Curve extends Line {
  title: string;
  quantity: CurveQuantity;
  /** What was swept, such as a variable of the servers. */
  parameter: string;
  /** What one more of it is called. */
  unit: string;
  /** The largest value less the smallest. */
  range: number;
  /** The mean of what the baseline takes beside each value, in µs. */
  baselineUs: number;
  /** Scenario minus baseline of each pair in µs, at each value. */
  points: { value: number; differences: number[] }[];
  /** The values whose costs read too low: no line goes through them. */
  leftOut: number[];
}

/** Returns the slope that makes the baseline's time of the whole range, in µs for each unit. */
export function wholeSlopeUs({ baselineUs, range }: Curve): number {
  return baselineUs / range;
}

/** The line cost = fixed + slope × value. */
export interface Line {
  /** The cost at 0, in µs. */
  fixed: Interval;
  /** What each unit more costs, in µs. */
  slope: Interval;
  /**
   * At which value the costs lie surely off the line, and farthest; null if at none, undefined if
   * too few pairs can't tell.
   */
  misfit: number | null | undefined;
}

/** A cost at one value of a sweep. */
export interface Point {
  value: number;
  cost: Estimate;
}

interface MeasuredPoint extends Point {
  /** Whether the true cost is higher. */
  isTooLow: boolean;
}

const CURVE_QUANTITIES = ['cpuUs', 'latencyUs'] as const;
type CurveQuantity = (typeof CURVE_QUANTITIES)[number];

type Sweep = NonNullable<Result['suite']['sweep']>;

const MIN_POINTS = 3;

/**
 * Returns a curve of each scenario that was swept, for each cost that was measured; none if the
 * suite has no sweep.
 */
export function curvesOf(sweep: Sweep | null, tasks: TaskAnalysis[]): Curve[] {
  if (sweep === null) return [];
  const byTitle = [...Map.groupBy(sweep.points, ({ curve }) => curve)];
  return byTitle.flatMap(([title, values]) =>
    CURVE_QUANTITIES.flatMap((quantity) => {
      const points = values.flatMap((value) => pointOf(value, quantity, tasks) ?? []);
      const distinct = new Set(trueOnly(points).map(({ value }) => value));
      return distinct.size >= MIN_POINTS ? [curveOf(title, quantity, sweep, points)] : [];
    }),
  );
}

function trueOnly(points: MeasuredPoint[]): MeasuredPoint[] {
  return points.filter(({ isTooLow }) => !isTooLow);
}

function curveOf(
  title: string,
  quantity: CurveQuantity,
  sweep: Sweep,
  points: MeasuredPoint[],
): Curve {
  const values = points.map(({ value }) => value);
  const tooLow = points.filter(({ isTooLow }) => isTooLow);
  return {
    title,
    quantity,
    parameter: sweep.parameter,
    unit: sweep.unit,
    range: max(values) - min(values),
    baselineUs: mean(points.map(({ cost }) => cost.baseline)),
    points: points.map(({ value, cost }) => ({ value, differences: cost.differences })),
    leftOut: tooLow.map(({ value }) => value),
    ...fitLine(trueOnly(points)),
  };
}

/** Null for what was not measured, and for latency at a steady rate, which is mostly waiting. */
function pointOf(
  { task: name, scenario, value }: Sweep['points'][number],
  quantity: CurveQuantity,
  tasks: TaskAnalysis[],
): MeasuredPoint | null {
  const task = tasks.find((each) => each.name === name);
  const row = task?.rows.find((each) => each.scenario === scenario);
  const cost = row?.change[quantity];
  const isWaiting = quantity === 'latencyUs' && task?.rate !== null;
  return cost && !isWaiting ? { value, cost, isTooLow: whyTooLow(row) !== null } : null;
}

/**
 * The mean variance counts as much as that of so many pairs more. With fewer, intervals held too
 * seldom in simulations.
 */
const PRIOR_PAIRS = 12;

/**
 * Returns the line through the costs by weighted least squares, and where it does not fit. The
 * weight of a cost is its pairs / their variance, where that is drawn towards the mean of all
 * variances, since few pairs tell a variance badly. Intervals are from the variances themselves;
 * those of both ends hold at once.
 */
export function fitLine(points: Point[]): Line {
  const costs = points.map(({ cost }) => cost);
  const weights = weightsOf(costs);
  const parts = weights.map((weight) => weight / sum(weights));
  const partOf = (at: number) => parts[at] ?? 0;
  const middle = sum(points.map(({ value }, at) => value * partOf(at)));
  const spread = sum(points.map(({ value }, at) => (value - middle) ** 2 * partOf(at)));
  const slopeFactors = points.map(({ value }, at) => ((value - middle) * partOf(at)) / spread);
  const fixedFactors = slopeFactors.map((factor, at) => partOf(at) - middle * factor);
  const fixed = weightedSum(costs, fixedFactors, 2);
  const slope = weightedSum(costs, slopeFactors, 2);
  const lineAt = (value: number) => fixed.value + slope.value * value;
  return { fixed, slope, misfit: misfitOf(points, lineAt) };
}

/** All equal if no variance is known, or if there is none. */
function weightsOf(costs: Estimate[]): number[] {
  const variances = costs.map(({ n, standardError }) => n * standardError ** 2);
  const overall = mean(variances);
  const isKnown = overall > 0 && Number.isFinite(overall);
  if (!isKnown) return costs.map(() => 1);
  return costs.map(({ n }, at) => {
    const squares = (n - 1) * (variances[at] ?? overall) + PRIOR_PAIRS * overall;
    return (n * (n - 1 + PRIOR_PAIRS)) / squares;
  });
}

/** What is off a line by less than this part of the largest cost does no harm. */
const HARMLESS = 0.05;

/** The intervals of all values hold at once. */
function misfitOf(points: Point[], lineAt: (value: number) => number): Line['misfit'] {
  if (points.some(({ cost }) => cost.n < MIN_PAIRS)) return undefined;
  const harmless = HARMLESS * max(points.map(({ value }) => Math.abs(lineAt(value))));
  const distances = points.map(({ value, cost }) => {
    return { value, distance: distanceAmong(points.length, cost, lineAt(value)) };
  });
  const off = distances.filter(
    ({ distance }) => !holdsZero(distance) && Math.abs(distance.value) >= harmless,
  );
  const farthestFirst = off.toSorted(
    (one, other) => Math.abs(other.distance.value) - Math.abs(one.distance.value),
  );
  return farthestFirst[0]?.value ?? null;
}
