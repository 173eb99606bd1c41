import type { PlannedRow, PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Fault } from '../result/faults.ts';
import type { DuetSlice, Side, TurnsSlice } from '../result/schema.ts';
import type { Arms } from './arms.ts';
import { measureDuetSlice } from './duet.ts';
import { measureSeries } from './series.ts';
import { sidesAt } from './sides.ts';
import { measureTurns } from './turns.ts';
import { mayBeSilent } from './under-load.ts';
import type { UsageMeter } from './usage.ts';
import type { World } from './world.ts';

/*
 * CPU per request is measured in duets or in turns. In duets two servers share the core's caches,
 * and unlike ones read up to twice too high; servers that are nearly alike disturb each other
 * alike, and duets are five times as precise for them.
 */

/** In which slices CPU per request is measured. */
export type CpuSliceKind = 'duets' | 'turns';

/** Rows that cost more than this share of the baseline's CPU are measured in turns. */
export const MIN_COST_FOR_TURNS = 0.1;

/**
 * Returns the kind of slices in which a row's CPU per request is measured.
 * @param cpuRatio how many times the baseline's CPU the scenario takes; null if no clock tells
 */
export function cpuSliceKindFor(
  { mayTakeTurns }: Pick<PlannedRow, 'mayTakeTurns'>,
  cpuRatio: number | null,
): CpuSliceKind {
  const costsMuch = cpuRatio !== null && Math.abs(cpuRatio - 1) > MIN_COST_FOR_TURNS;
  return mayTakeTurns && costsMuch ? 'turns' : 'duets';
}

/** How many duet slices a pair has, and how long each is. Turns take the time of all of them. */
export interface CpuSliceSettings {
  duetSlices: number;
  sliceSeconds: number;
}

/** Where slices are measured, and with what. */
export interface SlicePlace {
  world: World;
  task: PlannedTask;
  arms: Arms;
  meter: UsageMeter;
  loadedFirst: Side;
}

/** The slices of which CPU per request is read: those of one kind. */
export interface CpuSlices {
  duets: DuetSlice[];
  turns: TurnsSlice[];
  faults: Fault[];
}

/** What there is of a pair in which something went wrong before. */
export const NO_CPU_SLICES: CpuSlices = { duets: [], turns: [], faults: [] };

/** Measures the slices of this kind. */
export function measureCpuSlices(
  kind: CpuSliceKind,
  place: SlicePlace,
  settings: CpuSliceSettings,
): Promise<CpuSlices> {
  return kind === 'turns' ? measureAllTurns(place, settings) : measureDuets(place, settings);
}

async function measureDuets(
  { world, task, arms, meter, loadedFirst }: SlicePlace,
  { duetSlices, sliceSeconds }: CpuSliceSettings,
): Promise<CpuSlices> {
  const halfLoad = loadOf(task, sliceSeconds, 2);
  const { slices, faults } = await measureSeries('duet', duetSlices, meter, (index) =>
    measureDuetSlice(world, arms, halfLoad, sidesAt(index, loadedFirst)),
  );
  if (!mayBeSilent(faults)) await meter.readProbes();
  return { duets: slices, turns: [], faults };
}

/** All turns of a pair are in one slice, in the time of its duets. */
async function measureAllTurns(
  { world, task, arms, meter, loadedFirst }: SlicePlace,
  { duetSlices, sliceSeconds }: CpuSliceSettings,
): Promise<CpuSlices> {
  // The event loop of a stopped server is late by the turn of the other: the probes are read
  // before.
  await meter.readProbes();
  const load = loadOf(task, sliceSeconds * duetSlices);
  const { slices, faults } = await measureSeries('turns', Math.min(1, duetSlices), meter, () =>
    measureTurns(world, arms, load, loadedFirst),
  );
  return { duets: [], turns: slices, faults };
}
