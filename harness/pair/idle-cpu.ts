import type { PlannedRow } from '../plan/plan.ts';
import { throwIfEnding } from '../processes/child.ts';
import type { IdleCpu } from '../result/schema.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { type Arms, startBoth } from './arms.ts';
import { forBoth, SIDES } from './sides.ts';
import type { World } from './world.ts';

/** What a server does in its first moments, it does once, and not each second. */
const SKIPPED_MS = 1_000;
/** How often somebody looks whether both servers still run. */
const POLLING_INTERVAL_MS = 200;

/**
 * Lets both servers of a row run side by side without requests: timers of an SDK take CPU all the
 * same.
 * @returns CPU in ms a second; undefined if no clock tells the CPU time of servers
 * @throws ScenarioProblem if a server does not start, or ends
 */
export async function measureIdleCpu(
  world: World,
  row: PlannedRow,
  idleSeconds: number,
): Promise<IdleCpu | undefined> {
  await using arms = await startBoth(world, {
    row,
    startedFirst: 'baseline',
    loadedFirst: 'baseline',
  });
  await world.sleep(SKIPPED_MS);
  const startMs = world.nowMs();
  const cpuSince = forBoth((side) => world.watchCpu(arms[side].server.child.pid));
  await waitWhileRunning(world, arms, startMs + idleSeconds * 1e3);
  const seconds = (world.nowMs() - startMs) / 1e3;
  const cpuMsPerSecond = forBoth((side) => (cpuSince[side]().ns ?? Number.NaN) / 1e6 / seconds);
  // A signal ends both servers: what they do then is no part of it.
  throwIfEnding();
  const isKnown = SIDES.every((side) => Number.isFinite(cpuMsPerSecond[side]));
  return isKnown ? { task: row.task.name, scenario: row.scenario.name, cpuMsPerSecond } : undefined;
}

async function waitWhileRunning(world: World, arms: Arms, endMs: number): Promise<void> {
  while (world.nowMs() < endMs) {
    const ended = SIDES.find((side) => arms[side].server.child.exit);
    if (ended) {
      const { name } = arms[ended].planned;
      throw new ScenarioProblem(
        name,
        'ended without a request',
        '',
        'Start it by hand (--dry-run prints its command), leave it alone, and see why it ends',
      );
    }
    await world.sleep(POLLING_INTERVAL_MS);
  }
}
