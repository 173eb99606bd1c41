import type { PlannedRow } from '../plan/plan.ts';
import type { Side, StartUps } from '../result/schema.ts';
import { startSinkOf } from './arms.ts';
import { forBoth, sidesAt } from './sides.ts';
import type { World } from './world.ts';

/**
 * Starts each server of a row so many times, by turns, so that a drift of the machine meets both.
 * @returns times in ms from the start of a process to its first answer
 * @throws ScenarioProblem if a server does not start
 */
export async function measureStartUps(
  world: World,
  row: PlannedRow,
  starts: number,
): Promise<StartUps> {
  await using stack = new AsyncDisposableStack();
  // Each has a sink of its own, since one may be slow, or gone.
  const sinks = {
    baseline: await startSinkOf(world, row.baseline, stack),
    scenario: await startSinkOf(world, row.scenario, stack),
  };
  const ms = forBoth((): number[] => []);
  for (let turn = 0; turn < starts; turn++) {
    for (const side of sidesAt(turn, 'baseline')) {
      ms[side].push(await startUpMs(world, row, side, sinks[side]?.address));
    }
  }
  return { task: row.task.name, scenario: row.scenario.name, ms };
}

async function startUpMs(
  world: World,
  row: PlannedRow,
  side: Side,
  sinkAddress: string | undefined,
): Promise<number> {
  const firstExchange = row.task.exchanges.slice(0, 1);
  const { child, readyAfterMs } = await world.startServer(row[side], firstExchange, sinkAddress);
  await using _ = child;
  return readyAfterMs;
}
