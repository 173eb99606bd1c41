/**
 * Runs with several tasks, simulated: each task has a slope of its own about the run's, and a table
 * of its own.
 */
import { probit } from 'simple-statistics';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  allHold,
  emptyRows,
  estimatesOfTasks,
  type Random,
  type SimulatedRow,
  shareOfTrue,
  simulate,
  speedsOf,
  truthOf,
} from './simulation.ts';

export interface TasksCase {
  pairs: number;
  /** Of the run. */
  slope: number;
  /** The standard deviation of the slopes of tasks about that of the run. */
  slopeSpread: number;
}

interface SimulatedTask {
  slope: number;
  rows: SimulatedRow[];
}

const TASKS = 5;
const ROWS = 2;

/** Returns the part of tables, one for each task, in which all intervals hold. */
export function coverageOfTasks(
  each: TasksCase,
  noises: readonly NoiseOfRun[],
  runs: number,
  random: Random,
): number {
  const tables = simulate(runs, noises, random, (noise) => tablesOfRun(each, noise, random));
  return shareOfTrue(tables.flat());
}

function tablesOfRun(
  { pairs, slope, slopeSpread }: TasksCase,
  noise: NoiseOfRun,
  random: Random,
): boolean[] {
  const nextSpeed = speedsOf(noise, { isDrifting: true }, random);
  const tasks = Array.from({ length: TASKS }, (): SimulatedTask => {
    const own = slope + slopeSpread * probit(random());
    const rows = emptyRows({ rows: ROWS, isUnequal: true }, noise, random);
    return { slope: own, rows };
  });
  for (let pair = 0; pair < pairs; pair++)
    for (const task of tasks)
      for (const row of task.rows) addPair(row, nextSpeed(), task.slope, noise, random);
  return tasksThatHold(tasks);
}

function tasksThatHold(tasks: readonly SimulatedTask[]): boolean[] {
  const estimates = estimatesOfTasks(tasks.map(({ rows }) => rows));
  return tasks.map(({ slope, rows }, at) => {
    const truths = rows.map((row) => truthOf(row, rows, slope));
    return allHold(estimates[at] ?? [], truths);
  });
}
