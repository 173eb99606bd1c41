/**
 * The slopes g of `ancova.ts`, by which costs follow the time of the baseline: the rows of a task
 * tell its slope, the tasks tell that of the run, and a prior tells what they leave open. A row's
 * `predictor` is p, its `deviations` y, and v the variance of its pool.
 */
import { sum } from 'simple-statistics';
import type { ModelRow, Variances } from './ancova-model.ts';

/** A slope, by which a cost follows the time of the baseline, and its variance. No unit. */
export interface Slope {
  value: number;
  variance: number;
}

/** The slopes of a run. */
export interface RunSlopes {
  /** What the slopes of all tasks lie around. */
  slope: Slope;
  /** The key is the task. */
  slopes: Map<string, Slope>;
}

/**
 * Without a prior, few pairs give a slope that is chance, and intervals that hold too seldom. That
 * of a task's slope is N(1, 0.4²); 0.4 is a choice, between 0.2 and 1.6 that runs had.
 */
export const PRIOR_MEAN = 1;
const PRIOR_VARIANCE = 0.4 ** 2;
/**
 * The part of 0.4² by which tasks of one run differ; the rest is between runs. So a run with one
 * task has the prior N(1, 0.4²), whatever is chosen here. Most runs agree with one slope, a few
 * with different ones: a fixed 0.2 does not depend on an estimate of the spread of two or three
 * slopes, which is zero by chance in half of all runs.
 */
const TASK_VARIANCE = 0.2 ** 2;

/** What a row, or all rows of a task, tell of its slope: Σ p y / v, and Σ p² / v. */
interface SlopeEvidence {
  products: number;
  information: number;
}

const NO_EVIDENCE: SlopeEvidence = { products: 0, information: 0 };

/**
 * Returns the posterior means and variances of the slopes: g of a task is N(G, 0.2²), G of the run
 * is N(1, 0.4² - 0.2²), and the rows of a task tell g by least squares with the information I =
 * Σ p² / v. For a run of one task that is g = (Σ p y + k) / (Σ p² + k), k = v / 0.4², Var g = v /
 * (Σ p² + k) (D. V. Lindley and A. F. M. Smith, Journal of the Royal Statistical Society B 34,
 * 1972, 1-41).
 */
export function slopesOf(rows: readonly ModelRow[], variances: Variances): RunSlopes {
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
  const evidence = rows.map((row) => evidenceOfRow(row, variances));
  return {
    products: sum(evidence.map(({ products }) => products)),
    information: sum(evidence.map(({ information }) => information)),
  };
}

function evidenceOfRow(
  { predictor, deviations, pool, tellsSlope }: ModelRow,
  variances: Variances,
): SlopeEvidence {
  if (!tellsSlope) return NO_EVIDENCE;
  const variance = varianceIn(variances, pool);
  return {
    products: sum(predictor.map((p, at) => p * (deviations[at] ?? 0))) / variance,
    information: sum(predictor.map((p) => p ** 2)) / variance,
  };
}

/** Returns how much a row tells of its task's slope: Σ p² / v. */
export function informationOf(row: ModelRow, variances: Variances): number {
  return evidenceOfRow(row, variances).information;
}

/** Each row is in a pool, so that its variance is known. */
function varianceIn(variances: Variances, pool: string): number {
  return variances.get(pool) ?? Number.NaN;
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
