import { max, mean, sum } from 'simple-statistics';
import type { Result } from '../result/schema.ts';
import { estimate, holdsZero, MIN_PAIRS, weightedSum } from './estimate.ts';
import type { TaskAnalysis } from './rows.ts';

/** What is off a line by less than this part of the largest cost does no harm. */
const HARMLESS = 0.05;
const MIN_POINTS = 3;

/** The mean variance counts as much as that of so many pairs more. With fewer, intervals held too seldom in simulations. */
const PRIOR_PAIRS = 12;

/** Of each pair, at each value of a sweep. */
type Points = { value: number; differences: number[] }[];

/** Of each scenario that was swept, for each cost that was measured. Empty if the suite has no sweep. */
export function curvesOf(sweep: Result['suite']['sweep'], tasks: TaskAnalysis[]) {
  const byTitle = [...Map.groupBy(sweep?.points ?? [], ({ curve }) => curve)];
  return byTitle.flatMap(([title, all]) =>
    (['cpuUs', 'latencyUs'] as const).flatMap((quantity) => {
      const points = all.flatMap(({ task: name, scenario, value }) => {
        const task = tasks.find((each) => each.name === name);
        const differences = task?.rows.find((row) => row.scenario === scenario)?.change[quantity]
          ?.differences;
        // At a steady rate latency is mostly waiting.
        return differences && (quantity === 'cpuUs' || task?.rate === null)
          ? [{ value, differences }]
          : [];
      });
      return sweep && new Set(points.map(({ value }) => value)).size >= MIN_POINTS
        ? [
            {
              title,
              quantity,
              parameter: sweep.parameter,
              unit: sweep.unit,
              points,
              ...fitLine(points),
            },
          ]
        : [];
    }),
  );
}

/**
 * The line cost = fixed + slope x value through the costs of pairs, by weighted least squares. The weight of a mean is its
 * pairs / their variance. That is drawn towards the mean of all variances, since few pairs tell a variance badly. Intervals
 * are from the variances themselves; both hold at once.
 */
export function fitLine(points: Points) {
  const means = points.map(({ differences }) => estimate(differences));
  const variances = means.map(({ n, standardError }) => n * standardError ** 2);
  const overall = mean(variances);
  const isKnown = overall > 0 && Number.isFinite(overall);
  const weights = means.map(({ n }, at) =>
    isKnown
      ? (n * (n - 1 + PRIOR_PAIRS)) / ((n - 1) * (variances[at] ?? overall) + PRIOR_PAIRS * overall)
      : 1,
  );
  const parts = points.map(({ value }, at) => ({ value, part: (weights[at] ?? 0) / sum(weights) }));
  const middle = sum(parts.map(({ value, part }) => value * part));
  const spread = sum(parts.map(({ value, part }) => (value - middle) ** 2 * part));
  const slopes = parts.map(({ value, part }) => ((value - middle) * part) / spread);
  const ends = parts.map(({ part }, at) => part - middle * (slopes[at] ?? 0));
  const [fixed, slope] = [weightedSum(means, ends, 2), weightedSum(means, slopes, 2)];
  return { fixed, slope, misfit: misfitOf(points, (value) => fixed.value + slope.value * value) };
}

/**
 * At which value the costs lie surely off the line, and farthest; null if at none, undefined if too few pairs
 * can't tell. The intervals of all values hold at once.
 */
function misfitOf(points: Points, line: (value: number) => number) {
  if (points.some(({ differences }) => differences.length < MIN_PAIRS)) return undefined;
  const harmless = HARMLESS * max(points.map(({ value }) => Math.abs(line(value))));
  const off = points.flatMap(({ value, differences }) => {
    const distances = differences.map((each) => each - line(value));
    const above = estimate(distances, points.length);
    const distance = Math.abs(above.value);
    return holdsZero(above) || distance < harmless ? [] : [{ value, distance }];
  });
  return off.toSorted((one, other) => other.distance - one.distance)[0]?.value ?? null;
}
