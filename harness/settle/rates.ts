import { measureCapacity } from '../pair/capacity.ts';
import type { World } from '../pair/world.ts';
import type { PlannedRow } from '../plan/plan.ts';
import type { Result } from '../result/schema.ts';
import type { Suite, SuiteTask } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import type { Progress } from '../words/progress.ts';
import type { MeasureOptions } from './options.ts';

/**
 * Refuses an option that sets what the suite has steps of itself: rate, or connections. @throws
 * Problem
 */
export function checkSwept({ name, sweep }: Suite, options: MeasureOptions): void {
  const swept = sweep?.load;
  if (swept && options[swept])
    throw new Problem(`Suite ${name} sets its own ${swept}`, `Leave out --${swept}`);
}

/** Returns the suite with the rate that the user wants for all tasks. */
export function withWantedRate(suite: Suite, { rate }: MeasureOptions): Suite {
  if (!rate) return suite;
  const tasks = suite.tasks.map((task) => ({ ...task, rate: undefined, ...rate }));
  return { ...suite, tasks };
}

/** What tells the rates of tasks that ask for a share of what their baseline can do. */
export interface RateSource {
  rows: readonly PlannedRow[];
  world: World;
  warmupSeconds: number;
  progress: Progress;
  /** An earlier part of the run, whose rates are taken. */
  earlier: Result | undefined;
}

/**
 * Returns the suite with a rate for each task that asks for a share of what its baseline can do. It
 * is measured, one task after the other, unless an earlier part of the run did so. @throws Problem
 * if it can't be measured
 */
export async function withMeasuredRates(suite: Suite, source: RateSource): Promise<Suite> {
  const tasks: SuiteTask[] = [];
  for (const task of suite.tasks) tasks.push(await withMeasuredRate(task, source));
  return { ...suite, tasks };
}

async function withMeasuredRate(
  task: SuiteTask,
  { rows, world, warmupSeconds, progress, earlier }: RateSource,
): Promise<SuiteTask> {
  const row = rows.find((each) => each.task.name === task.name);
  if (task.rateShare === undefined || !row) return task;
  const earlierRate = earlier?.suite.tasks.find(({ name }) => name === task.name)?.rate;
  if (earlierRate) return { ...task, rate: earlierRate };
  progress.step(`rate: ${row.label}`);
  const capacity = await measureCapacity(world, row, warmupSeconds);
  return { ...task, rate: Math.max(1, Math.round(task.rateShare * capacity)) };
}
