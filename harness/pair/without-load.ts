import type { Plan, PlannedRow } from '../plan.ts';
import type { Result } from '../result/schema.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { forBoth, SIDES, sidesAt } from './sides.ts';
import { startBoth } from './starts.ts';

/** What a server does in its first moments, it does once. */
const IDLE_AFTER_SECONDS = 1;
const POLL_MS = 200;

/** Times in ms from the start of a process to its first answer, by turns, so that drift meets both servers. @throws Problem */
export async function measureStartUps(plan: Plan, row: PlannedRow): Promise<Result['startUps'][number]> {
  await using sink = row.baseline.sink || row.scenario.sink ? await plan.rig.startSink(plan.pinning) : null;
  const ms = forBoth((): number[] => []);
  for (let turn = 0; turn < plan.header.configuration.starts; turn++)
    for (const side of sidesAt(turn, 'baseline')) {
      const asked = row.task.exchanges.slice(0, 1);
      const { child, readyAfterMs } = await plan.rig.startServer(row[side], plan, asked, sink?.address);
      await using _ = child;
      ms[side].push(readyAfterMs);
    }
  return { task: row.task.name, scenario: row.scenario.name, ms };
}

/** CPU of both side by side without requests, in ms a second: SDKs have timers. Empty if nothing tells. @throws Problem */
export async function measureIdle(plan: Plan, row: PlannedRow): Promise<Result['idles']> {
  if (!plan.clock) return [];
  await using servers = await startBoth(plan, { row, startedFirst: 'baseline', loadedFirst: 'baseline' });
  const wait = async (seconds: number) => {
    const endMs = performance.now() + seconds * 1e3;
    while (performance.now() < endMs) {
      const ended = SIDES.find((side) => servers[side].server.child.exit);
      if (ended) throw new ScenarioProblem(row[ended].name, 'ended without a request', '', 'See what it says');
      await Bun.sleep(POLL_MS);
    }
  };
  await wait(IDLE_AFTER_SECONDS);
  const startMs = performance.now();
  const used = forBoth((side) => plan.rig.watchGroup(plan.clock, servers[side].server.child.pid));
  await wait(plan.header.configuration.idleSeconds);
  const seconds = (performance.now() - startMs) / 1e3;
  const cpuMsPerSecond = forBoth((side) => (used[side]().ns ?? Number.NaN) / 1e6 / seconds);
  const isKnown = SIDES.every((side) => Number.isFinite(cpuMsPerSecond[side]));
  return isKnown ? [{ task: row.task.name, scenario: row.scenario.name, cpuMsPerSecond }] : [];
}
