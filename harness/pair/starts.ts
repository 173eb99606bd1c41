import { watchGroup } from '../machine/cpu-time.ts';
import type { Plan, PlannedRow } from '../plan.ts';
import type { Result } from '../result/schema.ts';
import type { Server } from '../server/server.ts';
import type { Sink } from '../sink/sink.ts';
import type { PlannedServer } from '../suite/planned.ts';
import { sentIn } from '../suite/select.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { type PlannedPair, sideAt } from './order.ts';
import { type Both, forBoth, inTurn, SIDES } from './sides.ts';

/** What a server does in its first moments, it does once. */
const IDLE_AFTER_MS = 1_000;
const POLL_MS = 200;

/** A server, what it runs, and what receives its spans if it exports to a sink. */
export interface Started {
  planned: PlannedServer;
  server: Server;
  sink: Sink | null;
}

/** Starts both in the given order, each after its sink, and checks their answers. They end when this is disposed of. */
export async function startBoth(
  plan: Plan,
  { row, startedFirst }: PlannedPair,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  // What is used last ends first: a server may export what it has left.
  await using ending = new AsyncDisposableStack();
  const servers = await inTurn(startedFirst, async (side): Promise<Started> => {
    const planned = row[side];
    const sink = planned.sink ? ending.use(await plan.rig.startSink(plan.pinning, planned)) : null;
    const server = await plan.rig.startServer(planned, plan, sentIn(row.task), sink?.address, moreEnv);
    ending.use(server.child);
    return { planned, server, sink };
  });
  const started = ending.move();
  return { ...servers, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Times in ms from the start of a process to its first answer, by turns, so that drift meets both servers. @throws Problem */
export async function measureStartUps(plan: Plan, row: PlannedRow): Promise<Result['startUps']> {
  await using sink = row.baseline.sink || row.scenario.sink ? await plan.rig.startSink(plan.pinning) : null;
  const asked = row.task.exchanges.slice(0, 1);
  const ms = forBoth((): number[] => []);
  for (let turn = 0; turn < plan.header.configuration.starts; turn++)
    await inTurn(sideAt(turn, 'baseline'), async (side) => {
      const { child, readyAfterMs } = await plan.rig.startServer(row[side], plan, asked, sink?.address);
      await using _ = child;
      ms[side].push(readyAfterMs);
    });
  return [{ task: row.task.name, scenario: row.scenario.name, ms }];
}

/** CPU of both side by side without requests, in ms a second: SDKs have timers. Empty if nothing tells. @throws Problem */
export async function measureIdle(plan: Plan, row: PlannedRow): Promise<Result['idles']> {
  if (!plan.clock) return [];
  await using servers = await startBoth(plan, { row, startedFirst: 'baseline', loadedFirst: 'baseline' });
  const wait = async (ms: number) => {
    const startMs = performance.now();
    while (performance.now() - startMs < ms) {
      const ended = SIDES.map((side) => servers[side]).find(({ server }) => server.child.exit);
      if (ended) throw new ScenarioProblem(ended.planned.name, 'ended without a request', '', 'See what it says');
      await Bun.sleep(POLL_MS);
    }
    return (performance.now() - startMs) / 1_000;
  };
  await wait(IDLE_AFTER_MS);
  const used = forBoth((side) => watchGroup(plan.clock, servers[side].server.child.pid, plan.rig.readGroup));
  const seconds = await wait(plan.header.configuration.idleSeconds * 1_000);
  const cpuMsPerSecond = forBoth((side) => (used[side]().ns ?? Number.NaN) / 1e6 / seconds);
  const isKnown = SIDES.every((side) => Number.isFinite(cpuMsPerSecond[side]));
  return isKnown ? [{ task: row.task.name, scenario: row.scenario.name, cpuMsPerSecond }] : [];
}
