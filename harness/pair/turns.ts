import type { TaskLoad } from '../plan/task-load.ts';
import type { Side, TurnsSlice } from '../result/schema.ts';
import type { RunningPair } from './arms.ts';
import { sliceAtOnce } from './at-once.ts';
import type { MeasuredSlice } from './series.ts';
import { allEnded, otherSide, SIDES } from './sides.ts';
import { loadUntilResting } from './under-load.ts';

/**
 * How long one server has the core until the other has it. Longer turns meet less of the same
 * disturbance; shorter ones leave the caches less time to become the server's own (docs/method.md).
 */
const TURN_MS = 250;

/**
 * Measures turns: both servers under load at once, one of them stopped (SIGSTOP) while the other
 * has the core, by turns. So each pays what it would pay alone, and what disturbs the machine
 * disturbs both. Only CPU per request is to be read off them: requests wait for a turn, and timers
 * of a stopped server are late.
 */
export async function measureTurns(
  running: RunningPair,
  load: TaskLoad,
  turnMs = TURN_MS,
): Promise<MeasuredSlice<TurnsSlice>> {
  const { world, arms } = running;
  const coresSince = world.watchCores();
  const loads = { haveEnded: false };
  const onLoaded = () => {
    loads.haveEnded = true;
    // A server that is stopped would be taken for one that rests, with work of its load undone.
    resumeBoth(running);
  };
  const [baseline, scenario] = await allEnded([
    loadUntilResting(world, arms.baseline, load, onLoaded),
    loadUntilResting(world, arms.scenario, load, onLoaded),
    takeTurns(running, turnMs, () => loads.haveEnded),
  ]);
  return sliceAtOnce(world, load, { baseline, scenario }, coresSince());
}

/** Lets the servers have the core by turns, until one of the loads has ended. Then both go on. */
async function takeTurns(
  running: RunningPair,
  turnMs: number,
  haveLoadsEnded: () => boolean,
): Promise<void> {
  const { world, pair, arms } = running;
  const pidOf = (side: Side) => arms[side].server.child.pid;
  let onCore = pair.loadedFirst;
  try {
    while (!haveLoadsEnded()) {
      world.pause(pidOf(otherSide(onCore)));
      world.resume(pidOf(onCore));
      await world.sleep(turnMs);
      onCore = otherSide(onCore);
    }
  } finally {
    resumeBoth(running);
  }
}

function resumeBoth({ world, arms }: RunningPair): void {
  for (const side of SIDES) world.resume(arms[side].server.child.pid);
}
