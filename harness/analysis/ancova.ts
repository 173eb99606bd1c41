/**
 * What rows cost at the mean speed that the machine had in a run: analysis of covariance (R. A.
 * Fisher, Statistical Methods for Research Workers, 1932; W. G. Cochran, Biometrics 13, 1957,
 * 261-281), with the baseline of each pair as the covariate, and variances pooled in part.
 *
 * In pair i of row j the baseline takes b, the scenario s, and d = s - b. B is the mean of b over
 * all pairs of the task, and x = b / B - 1 says how slow the machine was. With the row's means D of
 * d and S of s, the model is
 *
 *     d = D (1 + g x) + S e
 *
 * g is one slope for a task: 0 makes costs differences, 1 makes them ratios. Errors e have nearly
 * the same spread in all rows that cost something. x, g and e have no unit; all else has that of
 * the samples. The target is the cost at B, the run's own mean speed, so the error of B is no part
 * of the interval of a cost; `speedError` says how large it is, for who compares two runs.
 */
import { mean, sampleStandardDeviation, sum } from 'simple-statistics';
import type { Estimate } from './compare-estimates.ts';
import { type Interval, studentInterval } from './interval.ts';
import { differenceOf, type Sample } from './sample.ts';

/** A row of a run. */
export interface RunRow {
  task: string;
  /** One of each pair; null if the row was not measured. */
  samples: readonly Sample[] | null;
}

/** A slope, by which a cost follows the time of the baseline, and its variance. No unit. */
export interface Slope {
  value: number;
  variance: number;
}

/** A run's costs, and the slopes that they were adjusted by. */
export interface AdjustedRun {
  /** Between all tasks. */
  slope: Slope;
  slopes: Map<string, Slope>;
  /** In the order of the rows that were given; null for a row that was not measured. */
  estimates: (Estimate | null)[];
}

/**
 * Without a prior, few pairs give a slope that is chance, and intervals that hold too seldom. That
 * of a task's slope is N(1, 0.4²); 0.4 is a choice, between 0.2 and 1.6 that runs had.
 */
const PRIOR_MEAN = 1;
const PRIOR_VARIANCE = 0.4 ** 2;
/**
 * The part of 0.4² by which tasks of one run differ; the rest is between runs. So a run with one
 * task has the prior N(1, 0.4²), whatever is chosen here. Most runs agree with one slope, a few
 * with different ones: a fixed 0.2 does not depend on an estimate of the spread of two or three
 * slopes, which is zero by chance in half of all runs.
 */
const TASK_VARIANCE = 0.2 ** 2;

/** Rows that cost less than this share of their baseline have a smaller spread of errors. */
const SMALL_COST = 0.1;
/** Clocks tell seven digits: a variance of errors below their rounding is not known. */
const LEAST_VARIANCE = 1e-12;

/**
 * Prior degrees of freedom: maximum likelihood over 219 published rows gave 4.4, and 2.8 for those
 * that cost next to nothing.
 */
const PRIOR_FREEDOM = { notable: 4, small: 3 } as const;
type Group = keyof typeof PRIOR_FREEDOM;

/** The variance of the errors e of each group, as shares of S squared. */
type Variances = Record<Group, number>;

/** A row as the model sees it. */
interface ModelRow {
  task: string;
  group: Group;
  n: number;
  /** D. */
  cost: number;
  /** S; or a tenth of the baseline, if that is more: totals near zero are no scale. */
  scale: number;
  differences: number[];
  slowness: number[];
  meanSlowness: number;
  meanBaseline: number;
  /** (D / S) (x - mean x), of each pair. */
  predictor: number[];
  /** (d - D) / S, of each pair. */
  deviation: number[];
}

/** What the errors of a row tell of their variance. */
interface Spread {
  squares: number;
  degreesOfFreedom: number;
}

/**
 * Returns what each row costs at the mean speed of the run. A row's interval holds together with
 * those of all rows of its task, as `studentInterval` says. It is infinite for a single pair.
 * @param tableLevel the part of tables in which all intervals are to hold
 */
export function adjustRun(rows: readonly RunRow[], tableLevel?: number): AdjustedRun {
  const baselines = meanBaselines(rows);
  const models = rows.map((row) => modelOf(row, baselines.get(speedGroupOf(row)) ?? Number.NaN));
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
      ...studentInterval(
        cost.value,
        cost.standardError,
        cost.degreesOfFreedom,
        ofTask.length,
        tableLevel,
      ),
      speedError: Math.abs(cost.speedEffect) * relativeSpeedError(ofTask),
      tableLevel,
    };
  });
  return { slope, slopes, estimates };
}

/**
 * Returns whether more pairs are not needed: the half-width is within `share` of the cost, or
 * within half of that share of the baseline, whichever is more. An unknown interval never is.
 */
export function isKnownWellEnough(
  { value, low, high }: Interval,
  baselineUs: number,
  share: number,
): boolean {
  return (high - low) / 2 <= Math.max(share * Math.abs(value), (share / 2) * baselineUs);
}

function isMeasured({ samples }: RunRow): boolean {
  if (!samples || samples.length === 0) return false;
  return samples.every(({ baseline, scenario }) => Number.isFinite(scenario - baseline));
}

/**
 * Names the rows whose baselines are alike: a baseline takes more beside another server than alone,
 * so speeds are only compared among slices of one kind. All pairs of a row are of one kind.
 */
function speedGroupOf({ task, samples }: RunRow): string {
  return `${task} ${samples?.[0]?.slices ?? ''}`;
}

/** B of each speed group, over all pairs of its rows. */
function meanBaselines(rows: readonly RunRow[]): Map<string, number> {
  const groups = Map.groupBy(rows.filter(isMeasured), speedGroupOf);
  const means = [...groups].map(([group, own]): [string, number] => {
    const samples = own.flatMap((row) => row.samples ?? []);
    return [group, mean(samples.map(({ baseline }) => baseline))];
  });
  return new Map(means);
}

function modelOf(row: RunRow, meanBaseline: number): ModelRow | null {
  if (!row.samples || !isMeasured(row)) return null;
  const differences = row.samples.map(differenceOf);
  const cost = mean(differences);
  const total = mean(row.samples.map(({ scenario }) => scenario));
  const scale = Math.max(total, Math.abs(meanBaseline) / 10) || 1;
  const slowness = row.samples.map(({ baseline }) =>
    meanBaseline === 0 ? 0 : baseline / meanBaseline - 1,
  );
  const meanSlowness = mean(slowness);
  return {
    task: row.task,
    group: Math.abs(cost) < SMALL_COST * Math.abs(meanBaseline) ? 'small' : 'notable',
    n: differences.length,
    cost,
    scale,
    differences,
    slowness,
    meanSlowness,
    meanBaseline,
    predictor: slowness.map((x) => (cost / scale) * (x - meanSlowness)),
    deviation: differences.map((d) => (d - cost) / scale),
  };
}

interface Fit {
  slope: Slope;
  slopes: Map<string, Slope>;
  variances: Variances;
}

/** Far more than are needed: most runs take fewer than ten. */
const MOST_STEPS = 100;
/** A relative change of the variance that no printed digit shows. */
const TOLERANCE = 1e-8;

/**
 * Slopes need variances, and these need slopes, so both are found by repetition. It begins with the
 * slope 1, where errors are largest unless that is right, and so ends at the larger variance where
 * two would do: the wider interval.
 */
function fit(rows: readonly ModelRow[]): Fit {
  let variances = variancesOf(rows, new Map(), null);
  for (let step = 1; step < MOST_STEPS; step++) {
    const next = variancesOf(rows, slopesOf(rows, variances).slopes, variances);
    const isDone = hasSettled(variances.notable, next.notable);
    const isDoneToo = hasSettled(variances.small, next.small);
    variances = next;
    if (isDone && isDoneToo) break;
  }
  return { ...slopesOf(rows, variances), variances };
}

function hasSettled(before: number, after: number): boolean {
  return Math.abs(after / before - 1) < TOLERANCE;
}

/** Without variances, nothing tells how much of each row a slope took, and it took nothing. */
function variancesOf(
  rows: readonly ModelRow[],
  slopes: Map<string, Slope>,
  old: Variances | null,
): Variances {
  const ofGroup = (group: Group): number => {
    const own = rows.filter((row) => row.group === group);
    const spreads = own.map((row) => spreadOf(row, slopes, old));
    const freedom = sum(spreads.map(({ degreesOfFreedom }) => degreesOfFreedom));
    const squares = sum(spreads.map((spread) => spread.squares));
    return freedom > 0 ? Math.max(LEAST_VARIANCE, squares / freedom) : LEAST_VARIANCE;
  };
  return { notable: ofGroup('notable'), small: ofGroup('small') };
}

/** What the rows of a task tell of its slope: Σ p y / v, and Σ p² / v. */
interface SlopeEvidence {
  products: number;
  information: number;
}

/**
 * Returns the posterior means and variances of the slopes: g of a task is N(G, 0.2²), G of the run
 * is N(1, 0.4² - 0.2²), and the rows of a task tell g by least squares with the information I =
 * Σ p² / v. For a run of one task that is g = (Σ p y + k) / (Σ p² + k), k = v / 0.4², Var g = v /
 * (Σ p² + k) (D. V. Lindley and A. F. M. Smith, Journal of the Royal Statistical Society B 34,
 * 1972, 1-41).
 */
function slopesOf(rows: readonly ModelRow[], variances: Variances): Omit<Fit, 'variances'> {
  const evidence = new Map(
    [...Map.groupBy(rows, ({ task }) => task)].map(([task, own]) => [
      task,
      evidenceOf(own, variances),
    ]),
  );
  const slope = runSlopeOf([...evidence.values()]);
  const slopes = new Map(
    [...evidence].map(([task, each]) => [task, taskSlopeOf(each, slope)] as const),
  );
  return { slope, slopes };
}

function evidenceOf(rows: readonly ModelRow[], variances: Variances): SlopeEvidence {
  const products = rows.map(
    ({ predictor, deviation, group }) =>
      sum(predictor.map((p, at) => p * (deviation[at] ?? 0))) / variances[group],
  );
  return {
    products: sum(products),
    information: sum(rows.map((row) => informationOf(row, variances))),
  };
}

function informationOf({ predictor, group }: ModelRow, variances: Variances): number {
  return sum(predictor.map((p) => p ** 2)) / variances[group];
}

function runSlopeOf(evidence: readonly SlopeEvidence[]): Slope {
  const priorPrecision = 1 / (PRIOR_VARIANCE - TASK_VARIANCE);
  const weights = evidence.map(({ information }) => 1 / (1 + information * TASK_VARIANCE));
  const precisions = evidence.map(({ information }, at) => information * (weights[at] ?? 0));
  const products = evidence.map((each, at) => each.products * (weights[at] ?? 0));
  const precision = priorPrecision + sum(precisions);
  return {
    value: (priorPrecision * PRIOR_MEAN + sum(products)) / precision,
    variance: 1 / precision,
  };
}

function taskSlopeOf({ products, information }: SlopeEvidence, run: Slope): Slope {
  const precision = information + 1 / TASK_VARIANCE;
  const runShare = 1 / TASK_VARIANCE / precision;
  return {
    value: products / precision + runShare * run.value,
    variance: 1 / precision + runShare ** 2 * run.variance,
  };
}

/** A slope takes as much of a row's degrees of freedom, h, as the row tells of it: n - 1 - h. */
function spreadOf(row: ModelRow, slopes: Map<string, Slope>, variances: Variances | null): Spread {
  const slope = slopes.get(row.task) ?? { value: PRIOR_MEAN, variance: 0 };
  const share = variances ? informationOf(row, variances) * slope.variance : 0;
  const errors = row.deviation.map((y, at) => y - slope.value * (row.predictor[at] ?? 0));
  return {
    squares: sum(errors.map((error) => error ** 2)),
    degreesOfFreedom: Math.max(0, row.n - 1 - Math.min(1, share)),
  };
}

/**
 * Returns the variance of a row's errors, drawn towards that of its group: v = (d0 v0 + f s²) /
 * (d0 + f) (G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004,
 * article 3). It is a sum Σ a s² over the group's rows, so that its degrees of freedom are d0 + f
 * or 1 / Σ (a² / f), whichever is less (Satterthwaite).
 */
/** A variance, and how well it is known. */
interface VariancePart {
  variance: number;
  degreesOfFreedom: number;
}

function moderatedVariance(row: ModelRow, spreads: Map<ModelRow, Spread>): VariancePart {
  const prior = PRIOR_FREEDOM[row.group];
  const group = [...spreads].filter(([each]) => each.group === row.group);
  const freedom = sum(group.map(([, { degreesOfFreedom }]) => degreesOfFreedom));
  const squares = sum(group.map(([, spread]) => spread.squares));
  const own = spreads.get(row) as Spread;
  const f = own.degreesOfFreedom;
  if (freedom <= 0) return { variance: Number.POSITIVE_INFINITY, degreesOfFreedom: 0 };
  // A row's weight a is `pooled` × its degrees of freedom; the row itself has `privately` more.
  const pooled = prior / (freedom * (prior + f));
  const privately = f / (prior + f);
  const sumOfSquares = pooled ** 2 * freedom + 2 * pooled * privately + f / (prior + f) ** 2;
  return {
    variance: ((prior * squares) / freedom + own.squares) / (prior + f),
    degreesOfFreedom: Math.min(prior + f, 1 / sumOfSquares),
  };
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
  /** By how much the cost moves if the mean speed moves by the whole of itself: g E. */
  speedEffect: number;
}

/** Var of the cost = S² v / n + D² (mean x)² Var g (Cochran 1957). */
function costOf(row: ModelRow, slope: Slope, moderated: VariancePart): Cost {
  const { n, cost, scale, meanSlowness } = row;
  const ownVariance = n > 1 ? (scale ** 2 * moderated.variance) / n : Number.POSITIVE_INFINITY;
  const slopeEffect = cost === 0 ? 0 : -cost * meanSlowness;
  const sharedError = slopeEffect * Math.sqrt(slope.variance);
  const value = cost + slopeEffect * slope.value;
  return {
    value,
    n,
    standardError: Math.sqrt(ownVariance + sharedError ** 2),
    degreesOfFreedom: moderated.degreesOfFreedom,
    baseline: row.meanBaseline,
    differences: row.differences.map(
      (d, pair) => d - slope.value * cost * (row.slowness[pair] ?? 0),
    ),
    sharedError,
    speedEffect: slope.value * value,
  };
}
