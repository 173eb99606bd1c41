import { checkConnectionsOfServer } from '../load/limits.ts';
import type { PlannedPair, PlannedTask } from '../plan/plan.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import type { Pair } from '../result/schema.ts';
import type { Server } from '../server/server.ts';
import type { SinkCounts } from '../sink/counter.ts';
import type { Sink } from '../sink/sink.ts';
import { sentIn } from '../suite/select.ts';
import { type Both, sidesAt } from './sides.ts';
import type { World } from './world.ts';

/** One arm of a pair: a running server, what it runs, and what receives its telemetry. */
export interface Arm {
  planned: PlannedServer;
  server: Server;
  /** Null for a server that exports to no sink. */
  sink: Sink | null;
  /** Requests of its whole life so far: those of checks, and those of loads. */
  answered: number;
  /** Requests so far of which nobody knows whether they were answered: the load tool left them. */
  underWay: number;
  /**
   * What its sink had when the warm-up was over, and of how many requests; null if nobody looked.
   */
  atWarmUpEnd: AtWarmUpEnd | null;
  /** The share of a core that the server takes by itself; 0 until somebody has looked. */
  shareBeforeLoad: number;
  /** What it did each time that the other server was under load alone. */
  whileIdle: Pair['whileIdle']['baseline'];
}

/** What a sink had of a server's first requests. */
export interface AtWarmUpEnd extends Pick<SinkCounts, 'spans' | 'logRecords'> {
  answered: number;
}

/** Both arms of a pair. Their servers and sinks end when this is disposed of. */
export type Arms = Both<Arm> & AsyncDisposable;

/** A planned pair, its arms while they run, and the world that they run in. */
export interface RunningPair {
  world: World;
  pair: PlannedPair;
  arms: Arms;
}

/**
 * Starts both arms in the pair's order, each server after its sink, and checks their answers.
 * @throws ScenarioProblem
 */
export async function startBoth(
  world: World,
  { row, startedFirst }: PlannedPair,
  moreEnv: Record<string, string> = {},
): Promise<Arms> {
  // What started last ends first, so that a server finds its sink when it exports what is left.
  await using stack = new AsyncDisposableStack();
  const arms = {} as Both<Arm>;
  for (const side of sidesAt(0, startedFirst)) {
    const request = { planned: row[side], task: row.task, moreEnv };
    arms[side] = await startArm(world, request, stack);
  }
  const started = stack.move();
  return { ...arms, [Symbol.asyncDispose]: () => started.disposeAsync() };
}

/** What the server of an arm is, and what it is asked for. */
interface ArmRequest {
  planned: PlannedServer;
  task: PlannedTask;
  /** Variables that go before all others. */
  moreEnv: Record<string, string>;
}

/** Starts the sink of a server, which ends with the stack; returns null if it has none. */
export async function startSinkOf(
  world: World,
  planned: PlannedServer,
  stack: AsyncDisposableStack,
): Promise<Sink | null> {
  return planned.sink ? stack.use(await world.startSink(planned)) : null;
}

async function startArm(
  world: World,
  { planned, task, moreEnv }: ArmRequest,
  stack: AsyncDisposableStack,
): Promise<Arm> {
  const sink = await startSinkOf(world, planned, stack);
  const exchanges = sentIn(task);
  const server = await world.startServer(planned, exchanges, sink?.address, moreEnv);
  stack.use(server.child);
  checkConnectionsOfServer(planned.name, server, task.connections);
  return {
    planned,
    server,
    sink,
    answered: exchanges.length,
    underWay: 0,
    atWarmUpEnd: null,
    shareBeforeLoad: 0,
    whileIdle: [],
  };
}
