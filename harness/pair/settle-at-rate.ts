import { loadOf } from '../plan/task-load.ts';
import type { Fault } from '../result/faults.ts';
import type { Loaded } from '../result/schema.ts';
import type { RunningPair } from './arms.ts';
import { rateShortfalls } from './rate.ts';
import { type Both, forBoth, SIDES, sidesAt } from './sides.ts';
import { cpuRatio } from './steadiness.ts';
import { type LoadedRun, loadUntilResting } from './under-load.ts';

/**
 * Each server has so long. That is a compromise: after it, a request still takes some percent more
 * CPU than after 20 s.
 */
export const SETTLING_SECONDS = 5;

/** With fewer answers, the warm-up at full load tells better whether a row costs much. */
const MIN_ANSWERS = 3_000;

/**
 * Faults that make later slices worthless, though most of these slices would not show them. What
 * slices do show is left to them.
 */
const HIDDEN_FAULTS: readonly Fault['kind'][] = [
  'server-ended',
  'process-ended',
  'process-not-counted',
  'out-of-memory',
];

/** What the first seconds at a steady rate tell. */
export interface SettledAtRate {
  /**
   * How many times the baseline's CPU per request the scenario took, each alone; null if no clock
   * tells, or too few answers.
   */
  cpuRatio: number | null;
  /** Whether both servers held the rate, each alone. */
  wasRateHeld: boolean;
  /** Why the pair is to end without slices; empty if it can go on. */
  faults: Fault[];
}

/**
 * Loads one server after the other at the steady rate of their task. After the full load of a
 * warm-up, servers collect its garbage, and the first requests that are measured would pay for that.
 */
export async function settleAtRate({ world, pair, arms }: RunningPair): Promise<SettledAtRate> {
  const load = loadOf(pair.row.task, SETTLING_SECONDS);
  const runs = {} as Both<LoadedRun>;
  for (const side of sidesAt(0, pair.loadedFirst))
    runs[side] = await loadUntilResting(world, arms[side], load);
  const faults = SIDES.flatMap((side) => runs[side].faults);
  const shortfalls = SIDES.flatMap((side) => rateShortfalls(world, load, [runs[side].loaded]));
  return {
    cpuRatio: knownCpuRatio(forBoth((side) => runs[side].loaded)),
    wasRateHeld: shortfalls.length === 0,
    faults: faults.filter(({ kind }) => HIDDEN_FAULTS.includes(kind)),
  };
}

/** Null if it is not known, or only by few answers. */
function knownCpuRatio(loaded: Both<Loaded>): number | null {
  const hasEnough = SIDES.every((side) => loaded[side].requests >= MIN_ANSWERS);
  const ratio = cpuRatio(loaded);
  return hasEnough && Number.isFinite(ratio) ? ratio : null;
}
