import type { PlannedRow } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Fault } from '../result/faults.ts';
import type { DuetSlice, Pair, TurnsSlice } from '../result/schema.ts';
import type { RunningPair } from './arms.ts';
import { measureDuetSlice } from './duet.ts';
import { measureSeries, type SeriesSettings } from './series.ts';
import { sidesAt } from './sides.ts';
import { measureTurns } from './turns.ts';
import { mayBeSilent } from './under-load.ts';
import type { UsageMeter } from './usage.ts';

/*
 * CPU per request is measured in duets, or of each server alone. In duets two servers share the
 * core's caches, and unlike ones read up to twice too high at full load, and too low at low rates;
 * servers that are nearly alike disturb each other alike, and duets are five times as precise for
 * them. At full load a server is alone in turns. Those would make the requests of a steady rate wait,
 * and so at a steady rate alternating slices tell the CPU, too.
 */

/** In which slices CPU per request is measured. */
export type CpuSliceKind = NonNullable<Pair['cpuFrom']>;

/** Rows that cost more than this share of the baseline's CPU are measured of each server alone. */
export const MIN_COST_TO_BE_ALONE = 0.1;

/**
 * Returns the kind of slices in which a row's CPU per request is measured.
 * @param cpuRatio how many times the baseline's CPU the scenario takes; null if no clock tells
 */
export function cpuSliceKindFor(
  { mayBeUnlike, task }: Pick<PlannedRow, 'mayBeUnlike' | 'task'>,
  cpuRatio: number | null,
): CpuSliceKind {
  if (!mayBeUnlike || cpuRatio === null || !areUnlike(cpuRatio)) return 'duets';
  return task.rate === undefined ? 'turns' : 'alternating';
}

/**
 * Returns whether servers are too unlike for duets.
 * @param cpuRatio CPU per request of one as a multiple of the other's
 */
export function areUnlike(cpuRatio: number): boolean {
  return Math.abs(cpuRatio - 1) > MIN_COST_TO_BE_ALONE;
}

/**
 * How many duet slices a pair has, and how long each is. Turns take the time of all of them, and
 * where alternating slices tell the CPU, there is one more for each.
 */
export interface CpuSliceSettings {
  duetSlices: number;
  sliceSeconds: number;
}

/** Where slices are measured, and with what. */
export interface SlicePlace extends RunningPair {
  meter: UsageMeter;
}

/** The slices with both servers under load at once: of one kind, or none. */
export interface SlicesAtOnce {
  duets: DuetSlice[];
  turns: TurnsSlice[];
  faults: Fault[];
}

/** What there is if something went wrong before, or if alternating slices tell the CPU. */
export const NO_SLICES_AT_ONCE: SlicesAtOnce = { duets: [], turns: [], faults: [] };

/** Measures the slices of this kind, if they are not the alternating ones of before. */
export async function measureSlicesAtOnce(
  place: SlicePlace,
  kind: CpuSliceKind,
  settings: CpuSliceSettings,
): Promise<SlicesAtOnce> {
  if (kind === 'turns') return measureAllTurns(place, settings);
  if (kind === 'duets') return measureDuets(place, settings);
  await place.meter.readProbes();
  return NO_SLICES_AT_ONCE;
}

async function measureDuets(
  place: SlicePlace,
  { duetSlices, sliceSeconds }: CpuSliceSettings,
): Promise<SlicesAtOnce> {
  const { pair, meter } = place;
  const halfLoad = loadOf(pair.row.task, sliceSeconds, 2);
  const series: SeriesSettings = { kind: 'duet', length: duetSlices };
  const { slices, faults } = await measureSeries(meter, series, (index) =>
    measureDuetSlice(place, halfLoad, sidesAt(index, pair.loadedFirst)),
  );
  if (!mayBeSilent(faults)) await meter.readProbes();
  return { duets: slices, turns: [], faults };
}

/** All turns of a pair are in one slice, in the time of its duets. */
async function measureAllTurns(
  place: SlicePlace,
  { duetSlices, sliceSeconds }: CpuSliceSettings,
): Promise<SlicesAtOnce> {
  const { pair, meter } = place;
  // The event loop of a stopped server is late by the turn of the other: the probes are read
  // before.
  await meter.readProbes();
  const load = loadOf(pair.row.task, sliceSeconds * duetSlices);
  const series: SeriesSettings = { kind: 'turns', length: Math.min(1, duetSlices) };
  const { slices, faults } = await measureSeries(meter, series, () => measureTurns(place, load));
  return { duets: [], turns: slices, faults };
}
