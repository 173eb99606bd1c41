import { HAS_CPU_CLOCK } from '../machine/cpu-time.ts';
import type { Plan, PlannedPair, PlannedRow } from '../plan/plan.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { Result } from '../result/schema.ts';
import type { Server } from '../server/server.ts';
import type { Sink } from '../sink/sink.ts';
import { sentIn } from '../suite/select.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { type Both, forBoth, SIDES, sidesAt } from './sides.ts';

/** What a server does in its first moments, it does once. */
const IDLE_AFTER_MS = 1_000;
const POLL_MS = 200;

/** A server, what it runs, and what receives its spans if it exports to a sink. */
export interface Started {
  planned: PlannedServer;
  server: Server;
  sink: Sink | null;
  /** Requests of its whole life so far: those of checks and of loads. */
  answered: number;
}

/** Starts both in the given order, each after its sink, and checks their answers. They end when this is disposed of. */
export async function startBoth(
  plan: Plan,
  { row, startedFirst }: PlannedPair,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  // What is used last ends first: a server may export what it has left.
  await using ending = new AsyncDisposableStack();
  const servers = {} as Both<Started>;
  for (const side of sidesAt(0, startedFirst)) {
    const planned = row[side];
    const sink = planned.sink ? ending.use(await plan.rig.startSink(plan.pinning, planned)) : null;
    const asked = sentIn(row.task);
    const server = await plan.rig.startServer(planned, plan, asked, sink?.address, moreEnv);
    ending.use(server.child);
    servers[side] = { planned, server, sink, answered: asked.length };
  }
  const started = ending.move();
  return { ...servers, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** Times in ms from the start of a process to its first answer, by turns, so that drift meets both servers. @throws Problem */
export async function measureStartUps(
  plan: Plan,
  row: PlannedRow,
): Promise<Result['startUps'][number]> {
  await using sink =
    row.baseline.sink || row.scenario.sink ? await plan.rig.startSink(plan.pinning) : null;
  const ms = forBoth((): number[] => []);
  for (let turn = 0; turn < plan.header.configuration.starts; turn++)
    for (const side of sidesAt(turn, 'baseline')) {
      const asked = row.task.exchanges.slice(0, 1);
      const { child, readyAfterMs } = await plan.rig.startServer(
        row[side],
        plan,
        asked,
        sink?.address,
      );
      await using _ = child;
      ms[side].push(readyAfterMs);
    }
  return { task: row.task.name, scenario: row.scenario.name, ms };
}

/** CPU of both side by side without requests, in ms a second: SDKs have timers. Empty if nothing tells. @throws Problem */
export async function measureIdle(plan: Plan, row: PlannedRow): Promise<Result['idles']> {
  if (!HAS_CPU_CLOCK) return [];
  await using servers = await startBoth(plan, {
    row,
    startedFirst: 'baseline',
    loadedFirst: 'baseline',
  });
  await Bun.sleep(IDLE_AFTER_MS);
  const startMs = performance.now();
  const used = forBoth((side) => plan.rig.watchGroup(servers[side].server.child.pid));
  const endMs = startMs + plan.header.configuration.idleSeconds * 1e3;
  while (performance.now() < endMs) {
    const ended = SIDES.find((side) => servers[side].server.child.exit);
    if (ended)
      throw new ScenarioProblem(row[ended].name, 'ended without a request', '', 'See what it says');
    await Bun.sleep(POLL_MS);
  }
  const seconds = (performance.now() - startMs) / 1e3;
  const cpuMsPerSecond = forBoth((side) => (used[side]().ns ?? Number.NaN) / 1e6 / seconds);
  const isKnown = SIDES.every((side) => Number.isFinite(cpuMsPerSecond[side]));
  return isKnown ? [{ task: row.task.name, scenario: row.scenario.name, cpuMsPerSecond }] : [];
}
