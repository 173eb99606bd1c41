/**
 * How the pairs of a run become costs with intervals: here it is decided which method estimates
 * which quantity. The mathematics of `covariance` is in `ancova.ts`, that of `mean` in
 * `mean-estimate.ts`, and `compare-estimates.ts` compares estimates.
 */
import { mean } from 'simple-statistics';
import { adjustRun, type RunRow, type Slope } from './ancova.ts';
import { type Estimate, meanEstimate } from './mean-estimate.ts';
import type { Quantity } from './quantities.ts';
import { differenceOf, type Sample } from './sample.ts';

/** A task's rows: the samples of each, null for a row that was not measured. */
export type TaskSamples = readonly (readonly Sample[] | null)[];

/**
 * How pairs become a cost. `covariance`: the cost at the mean speed that the machine had in the run
 * (`ancova.ts`), for what takes longer on a slower machine. `mean`: the mean over pairs of scenario
 * minus baseline, with Student's interval of each row for itself.
 */
export type Method = 'covariance' | 'mean';

/** How each quantity is estimated: docs/method.md says why. */
export const METHODS: Record<Quantity, Method> = {
  latencyUs: 'mean',
  cpuUs: 'covariance',
  p99Us: 'mean',
  memoryBytes: 'mean',
};

/**
 * The part of tables whose intervals are all to hold, of the quantities that decide when a run
 * ends. Such a run ends where the spread looks small by chance, so that intervals hold less often
 * than they say (C. Stein, Annals of Mathematical Statistics 16, 1945, 243-258). At this level they
 * hold in 95 % of tables, which is what is printed (`benchmarks/coverage/`).
 */
export const RULE_LEVEL = 0.97;

/**
 * Returns what each row of each task of a run costs, in their order; null for a row in which the
 * quantity was not measured. The intervals of a task hold together.
 * @param tableLevel the part of tables whose intervals are all to hold, if it is not the usual one
 */
export function estimateTasks(
  tasks: readonly TaskSamples[],
  method: Method,
  tableLevel?: number,
): (Estimate | null)[][] {
  return method === 'covariance'
    ? adjustTasks(tasks, tableLevel)
    : tasks.map((rows) => meansOf(rows, tableLevel));
}

/**
 * Returns the slope by which costs follow the baseline in a run, where they are estimated by
 * covariance; null if nothing was measured.
 */
export function slopeOfRun(tasks: readonly TaskSamples[]): Slope | null {
  const { slope, slopes } = adjustRun(rowsOfTasks(tasks));
  return slopes.size > 0 ? slope : null;
}

function adjustTasks(tasks: readonly TaskSamples[], tableLevel?: number): (Estimate | null)[][] {
  const estimates = adjustRun(rowsOfTasks(tasks), tableLevel).estimates.values();
  return tasks.map((task) => task.map(() => estimates.next().value ?? null));
}

function rowsOfTasks(tasks: readonly TaskSamples[]): RunRow[] {
  return tasks.flatMap((task, at) => task.map((samples) => ({ task: String(at), samples })));
}

function meansOf(rows: TaskSamples, tableLevel?: number): (Estimate | null)[] {
  const measured = rows.filter((samples) => samples !== null).length;
  return rows.map((samples) => samples && meanCost(samples, measured, tableLevel));
}

function meanCost(samples: readonly Sample[], rows: number, tableLevel?: number): Estimate {
  const estimate = meanEstimate(samples.map(differenceOf), rows, tableLevel);
  return { ...estimate, baseline: mean(samples.map(({ baseline }) => baseline)) };
}
