import type { PlannedPair } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Fault } from '../result/faults.ts';
import type { Arms } from './arms.ts';
import { type Both, SIDES, sidesAt } from './sides.ts';
import { type LoadedRun, loadUntilResting } from './under-load.ts';
import type { World } from './world.ts';

/** Of each server. After that, a request still takes some percent more than 20 s later. */
export const SETTLING_SECONDS = 5;

/** With fewer answers, the full load of before tells better what a row costs. */
const MIN_ANSWERS = 3_000;

/** What makes the slices after these seconds worthless; most of it they would not show. */
const KINDS_THAT_STAY: readonly Fault['kind'][] = [
  'server-ended',
  'process-ended',
  'process-not-counted',
  'out-of-memory',
];

/** What the first seconds at a steady rate tell. */
export interface AtRate {
  /**
   * How many times the baseline's CPU per request the scenario took, each alone; null if no clock
   * tells, or too few answers.
   */
  cpuRatio: number | null;
  /** Why slices make no sense. */
  faults: Fault[];
}

/**
 * Loads one server after the other at the steady rate of their task. After the full load of their
 * warm-up, they collect what it left, and their first requests would pay for that.
 */
export async function settleAtRate(
  world: World,
  { row, loadedFirst }: PlannedPair,
  arms: Arms,
): Promise<AtRate> {
  const load = loadOf(row.task, SETTLING_SECONDS);
  const runs = {} as Both<LoadedRun>;
  for (const side of sidesAt(0, loadedFirst))
    runs[side] = await loadUntilResting(world, arms[side], load);
  const faults = SIDES.flatMap((side) => runs[side].faults);
  return {
    cpuRatio: cpuRatioOf(runs),
    faults: faults.filter(({ kind }) => KINDS_THAT_STAY.includes(kind)),
  };
}

function cpuRatioOf(runs: Both<LoadedRun>): number | null {
  const areEnough = SIDES.every((side) => runs[side].loaded.requests >= MIN_ANSWERS);
  const ratio = cpuPerRequest(runs.scenario) / cpuPerRequest(runs.baseline);
  return areEnough && Number.isFinite(ratio) ? ratio : null;
}

function cpuPerRequest({ loaded: { cpuNs, requests, underWay } }: LoadedRun): number {
  return (cpuNs ?? Number.NaN) / (requests + underWay);
}
