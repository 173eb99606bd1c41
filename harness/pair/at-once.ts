import type { TaskLoad } from '../plan/task-load.ts';
import type { CoreUse, DuetSlice } from '../result/schema.ts';
import { rateShortfalls } from './rate.ts';
import type { MeasuredSlice } from './series.ts';
import { type Both, forBoth, SIDES } from './sides.ts';
import type { LoadedRun } from './under-load.ts';
import type { World } from './world.ts';

/**
 * Returns the slice in which both servers were under load at once: of duets, or of turns.
 * @param cores the use of the cores meanwhile; null if they are not pinned
 */
export function sliceAtOnce(
  world: World,
  load: TaskLoad,
  runs: Both<LoadedRun>,
  cores: CoreUse | null,
): MeasuredSlice<DuetSlice> {
  const loaded = forBoth((side) => runs[side].loaded);
  const shortfalls = rateShortfalls(world, load, [loaded.baseline, loaded.scenario]);
  return {
    slice: {
      ...loaded,
      cores: cores && withoutOwnWork(cores, runs),
      rateShortfall: shortfalls.join(', ') || null,
    },
    faults: SIDES.flatMap((side) => runs[side].faults),
  };
}

/** What the servers do by themselves is no work of others on their core. */
function withoutOwnWork(cores: CoreUse, { baseline, scenario }: Both<LoadedRun>): CoreUse {
  const ownNs = baseline.withoutRequestNs + scenario.withoutRequestNs;
  return { ...cores, server: { ...cores.server, busyNs: cores.server.busyNs - ownNs } };
}
