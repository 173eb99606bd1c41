import type { PlannedPair } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type { AlternatingSlice, DuetSlice, Side, Usage } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { measureAlternatingSlice } from './alternating.ts';
import { measureDuetSlice } from './duet.ts';
import { measureSeries } from './series.ts';
import { type Both, SIDES, sidesAt } from './sides.ts';
import type { Arms } from './start.ts';
import { hasNoAnswer } from './under-load.ts';
import { UsageMeter } from './usage.ts';
import type { World } from './world.ts';

/** How many slices of each kind a pair has, and how long each is. */
export interface SliceSettings {
  alternatingSlices: number;
  duetSlices: number;
  sliceSeconds: number;
}

/** All slices of a pair, what its servers used meanwhile, and what went wrong. */
export interface MeasuredSlices {
  alternating: AlternatingSlice[];
  duets: DuetSlice[];
  usage: Both<Usage>;
  faults: Fault[];
}

/** Loads both servers in alternating slices, and then in duet slices. */
export async function measureSlices(
  world: World,
  { row, loadedFirst }: PlannedPair,
  arms: Arms,
  { alternatingSlices, duetSlices, sliceSeconds }: SliceSettings,
): Promise<MeasuredSlices> {
  const wholeLoad = loadOf(row.task, sliceSeconds);
  const halfLoad = loadOf(row.task, sliceSeconds, 2);
  const meter = await UsageMeter.start(world, arms);
  const alternating = await measureSeries('alternating', alternatingSlices, meter, (index) => {
    // The first slice asks each server once: an answer may turn wrong under load.
    const asked = index === 0 ? sentIn(row.task) : [];
    return measureAlternatingSlice(world, arms, wholeLoad, sidesAt(index, loadedFirst), asked);
  });
  const canGoOn = !hasNoAnswer(alternating.faults);
  const duets = await measureSeries('duet', canGoOn ? duetSlices : 0, meter, (index) =>
    measureDuetSlice(world, arms, halfLoad, sidesAt(index, loadedFirst)),
  );
  const loadFaults = [...alternating.faults, ...duets.faults];
  const usage = await meter.read(!hasNoAnswer(loadFaults));
  const modeFaults = SIDES.flatMap((side) => developmentModeFaults(arms, side, usage[side]));
  return {
    alternating: alternating.slices,
    duets: duets.slices,
    usage,
    faults: [...loadFaults, ...modeFaults],
  };
}

/** Returns the fault of a server that says that it is not in production: development mode costs. */
function developmentModeFaults(arms: Arms, side: Side, { probe }: Usage): Fault[] {
  if (probe === null || probe.mode === 'production') return [];
  const detail = `NODE_ENV is ${probe.mode ?? 'not set'}`;
  return [faultOf('development-mode', detail, arms[side].planned.name)];
}
