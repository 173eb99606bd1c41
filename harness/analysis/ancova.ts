/**
 * What rows cost at the mean speed that the machine had in a run: analysis of covariance (R. A.
 * Fisher, Statistical Methods for Research Workers, 1932; W. G. Cochran, Biometrics 13, 1957,
 * 261-281), with the baseline of each pair as the covariate, and variances pooled in part.
 *
 * In pair i of row j the baseline takes b, the scenario s, and d = s - b. B is the mean of b over
 * all pairs of the task with slices of one kind, and x = b / B - 1 says how slow the machine was.
 * With the row's means D of d and S of s, the model is
 *
 *     d = D (1 + g x) + S e
 *
 * g is one slope for a task: 0 makes costs differences, 1 makes them ratios. Errors e have nearly
 * the same spread in all rows that cost something, at one rate of requests, in alternating slices or
 * in others. x, g and e have no unit; all else has that of the samples. The target is the cost at B,
 * the run's own mean speed, so the error of B is no part of the interval of a cost; `speedError` says
 * how large it is, for who compares two runs.
 *
 * Here is how the parts come together: slopes and variances are found by turns, and a row's cost
 * follows from both. The rows as the model sees them are in `ancova-model.ts`, the slopes in
 * `ancova-slopes.ts`, the variances in `ancova-variances.ts`.
 */
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { type ModelRow, modelsOf, type RunRow, type Variances } from './ancova-model.ts';
import { type RunSlopes, type Slope, slopesOf } from './ancova-slopes.ts';
import { moderatedVariance, spreadOf, variancesOf } from './ancova-variances.ts';
import { type EstimatedVariance, studentInterval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';

export type { RunRow } from './ancova-model.ts';
export type { Slope } from './ancova-slopes.ts';

/** A run's costs, and the slopes that they were adjusted by. */
export interface AdjustedRun extends RunSlopes {
  /** In the order of the rows that were given; null for a row that was not measured. */
  estimates: (Estimate | null)[];
}

/**
 * Returns what each row costs at the mean speed of the run. A row's interval holds together with
 * those of all rows of its task, as `studentInterval` says. It is infinite for a single pair.
 * @param tableLevel the part of tables in which all intervals are to hold
 */
export function adjustRun(rows: readonly RunRow[], tableLevel?: number): AdjustedRun {
  const models = modelsOf(rows);
  const measured = models.filter((row) => row !== null);
  const { slope, slopes, variances } = fit(measured);
  const spreads = new Map(measured.map((row) => [row, spreadOf(row, slopes, variances)]));
  const tasks = Map.groupBy(measured, ({ task }) => task);
  const estimates = models.map((row) => {
    if (!row) return null;
    const ofTask = tasks.get(row.task) ?? [];
    const cost = costOf(row, slopes.get(row.task) as Slope, moderatedVariance(row, spreads));
    return {
      ...cost,
      ...studentInterval(cost, ofTask.length, tableLevel),
      speedError: Math.abs(cost.speedEffect) * relativeSpeedError(ofTask),
      tableLevel,
    };
  });
  return { slope, slopes, estimates };
}

/** What the pairs of a run tell of the parameters of the model. */
interface Fit extends RunSlopes {
  variances: Variances;
}

/** Far more than are needed: most runs take fewer than ten. */
const MOST_STEPS = 100;
/** A relative change of the variance that no printed digit shows. */
const TOLERANCE = 1e-8;

/**
 * Returns the slopes and variances of a run. Slopes need variances, and these need slopes, so both
 * are found by repetition. It begins with the slope 1, where errors are largest unless that is
 * right, and so ends at the larger variance where two would do: the wider interval.
 */
function fit(rows: readonly ModelRow[]): Fit {
  let variances = variancesOf(rows, new Map(), null);
  for (let step = 1; step < MOST_STEPS; step++) {
    const next = variancesOf(rows, slopesOf(rows, variances).slopes, variances);
    const isDone = hasSettled(variances, next);
    variances = next;
    if (isDone) break;
  }
  return { ...slopesOf(rows, variances), variances };
}

function hasSettled(before: Variances, after: Variances): boolean {
  return [...after].every(([pool, variance]) => {
    return Math.abs(variance / (before.get(pool) ?? Number.NaN) - 1) < TOLERANCE;
  });
}

/**
 * Returns the standard error of the mean speed of a task's pairs, as a share of it. Pairs of one
 * round follow each other and share the speed of the minute, so rounds are batches: it is that of
 * the batch means (R. W. Conway, Management Science 10, 1963, 47-61). Zero for a single round, of
 * which costs have infinite errors anyway.
 */
function relativeSpeedError(rows: readonly ModelRow[]): number {
  const rounds = Math.max(...rows.map(({ n }) => n));
  if (rounds < 2) return 0;
  const roundMeans = Array.from({ length: rounds }, (_, round) =>
    mean(rows.flatMap(({ slowness }) => slowness[round] ?? [])),
  );
  return sampleStandardDeviation(roundMeans) / Math.sqrt(rounds);
}

/** What a row costs, before its interval. */
interface Cost extends Omit<Estimate, 'low' | 'high' | 'speedError'> {
  /** By how much the cost moves if the mean speed moves by the whole of itself: g × cost. */
  speedEffect: number;
}

/** Var of the cost = S² v / n + D² (mean x)² Var g (Cochran 1957). */
function costOf(row: ModelRow, slope: Slope, moderated: EstimatedVariance): Cost {
  const { n, meanDifference, scale, meanSlowness } = row;
  const ownVariance = n > 1 ? (scale ** 2 * moderated.variance) / n : Number.POSITIVE_INFINITY;
  const slopeEffect = meanDifference === 0 ? 0 : -meanDifference * meanSlowness;
  const sharedError = slopeEffect * Math.sqrt(slope.variance);
  const value = meanDifference + slopeEffect * slope.value;
  return {
    value,
    n,
    standardError: Math.sqrt(ownVariance + sharedError ** 2),
    degreesOfFreedom: moderated.degreesOfFreedom,
    baseline: row.meanBaseline,
    differences: row.differences.map(
      (d, pair) => d - slope.value * meanDifference * (row.slowness[pair] ?? 0),
    ),
    sharedError,
    speedEffect: slope.value * value,
  };
}
