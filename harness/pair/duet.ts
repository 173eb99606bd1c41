import type { TaskLoad } from '../plan/task-load.ts';
import type { DuetSlice, Side } from '../result/schema.ts';
import type { RunningPair } from './arms.ts';
import { sliceAtOnce } from './at-once.ts';
import type { MeasuredSlice } from './series.ts';
import { allEnded, forBoth } from './sides.ts';
import { loadUntilResting } from './under-load.ts';

/**
 * Measures a duet slice: both servers under load at once, so that what disturbs the machine
 * disturbs both (Bulej et al., Duet Benchmarking, ICPE 2020). The load on the first of them starts
 * a moment earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function measureDuetSlice(
  { world, arms }: RunningPair,
  load: TaskLoad,
  [first, second]: [Side, Side],
): Promise<MeasuredSlice<DuetSlice>> {
  const coresSince = world.watchCores();
  const [firstRun, secondRun] = await allEnded([
    loadUntilResting(world, arms[first], load),
    loadUntilResting(world, arms[second], load),
  ]);
  const runs = forBoth((side) => (side === first ? firstRun : secondRun));
  return sliceAtOnce(world, load, runs, coresSince());
}
