import type { TaskLoad } from '../plan/task-load.ts';
import type { AlternatingSlice, Side } from '../result/schema.ts';
import type { Exchange } from '../suite/suite.ts';
import { checkWhileBusy } from './answers.ts';
import type { RunningPair } from './arms.ts';
import { watchIdle } from './idle.ts';
import { rateShortfalls } from './rate.ts';
import type { MeasuredSlice } from './series.ts';
import { allEnded, type Both, forBoth, otherSide, SIDES } from './sides.ts';
import { type LoadedRun, loadUntilResting } from './under-load.ts';
import type { World } from './world.ts';

/**
 * Measures an alternating slice: one server under the whole load and then the other, the idle one
 * alive. Each is asked for these exchanges meanwhile.
 */
export async function measureAlternatingSlice(
  running: RunningPair,
  load: TaskLoad,
  order: [Side, Side],
  asked: readonly Exchange[],
): Promise<MeasuredSlice<AlternatingSlice>> {
  const { world } = running;
  const runs = {} as Both<LoadedRun>;
  const opened = {} as Both<number | null>;
  for (const side of order) {
    const openedSince = watchOpened(world, load);
    runs[side] = await loadOneSide(running, side, load, asked);
    opened[side] = openedSince();
  }
  const shortfalls = SIDES.flatMap((side) => rateShortfalls(world, load, [runs[side].loaded]));
  return {
    slice: {
      ...forBoth((side) => runs[side].loaded),
      cores: forBoth((side) => runs[side].cores),
      rateShortfall: shortfalls.join(', ') || null,
      opened,
    },
    faults: SIDES.flatMap((side) => runs[side].faults),
  };
}

/** Returns what reads how many connections anybody was asked for since this call. */
function watchOpened(world: World, { rate }: TaskLoad): () => number | null {
  const paced = { isPaced: rate !== undefined };
  const before = world.passiveOpens(paced);
  return () => {
    const after = world.passiveOpens(paced);
    return before === null || after === null ? null : after - before;
  };
}

async function loadOneSide(
  { world, arms }: RunningPair,
  side: Side,
  load: TaskLoad,
  asked: readonly Exchange[],
): Promise<LoadedRun> {
  const idleSince = watchIdle(world, arms[otherSide(side)]);
  const [run, wrongAnswers] = await allEnded([
    loadUntilResting(world, arms[side], load),
    checkWhileBusy(world, arms[side], asked),
  ]);
  // Neither the idle server, which may still send what it has, nor work without requests counts as
  // others on the core.
  const idleNs = idleSince();
  if (run.cores) run.cores.server.busyNs -= idleNs + run.withoutRequestNs;
  return { ...run, faults: [...wrongAnswers, ...run.faults] };
}
