import { loadCommands } from '../load/run-load.ts';
import type { Pair, Side } from '../result/schema.ts';
import { checkAnswer } from '../server/check.ts';
import { type Server, startServer } from '../server/server.ts';
import { type Sink, startSink } from '../sink/sink.ts';
import { asMeasured, needsSink } from '../suite/exporting.ts';
import type { LoadedTask } from '../suite/load.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { accountingFaults } from './accounting.ts';
import { atOnce, type Bench, type Both, forBoth, inTurn, otherSide, SIDES } from './bench.ts';
import { awaitExport } from './exported.ts';
import type { PlannedPair } from './order.ts';
import { alternatingSlice, duetSlice, type Measured, type Player, playersOf, type Started } from './slices.ts';
import { sliceSecondsFor, warmUp } from './warm-up.ts';

/**
 * Measures one pair: starts both servers on one core, checks their answers, warms them up, and measures alternating slices
 * and then duet slices (Bulej et al., Duet Benchmarking, ICPE 2020). The servers are stopped in any case. Errors under
 * load make the pair invalid as a whole.
 * @throws Problem if a server or the load tool does not do its part.
 */
export async function measurePair(bench: Bench, task: LoadedTask, planned: PlannedPair): Promise<Pair> {
  const scenario = task.scenarios.find(({ name }) => name === planned.scenario) as Scenario;
  await using servers = await startBoth(bench, task, { baseline: task.baseline, scenario }, planned.startedFirst);
  const { connections, duetConnections } = { ...bench.configuration, ...task };
  const warmed = await warmUp(bench, task, servers);
  const sliceSeconds = sliceSecondsFor(task.rate ?? Number.POSITIVE_INFINITY, warmed.sliceSeconds);
  const alone = playersOf(task, servers, connections, sliceSeconds);
  const together = playersOf(task, servers, duetConnections, sliceSeconds);
  const { faults, ...measured } = await measureSlices(bench, alone, together, planned.loadedFirst);
  const requests = forBoth((side) => requestsIn(measured, side));
  // What arrived of all that each server ever recorded, the checks of its answers and the warm-up among it.
  const exported = await atOnce('baseline', (side) =>
    awaitExport(task, servers[side], task.exchanges.length + warmed.requests[side] + requests[side]),
  );
  // The load tool may end a slice without having seen the last answer of each connection.
  const unseen = (measured.alternating.length + 1) * connections + (measured.duets.length + 1) * duetConnections;
  const unaccounted = SIDES.flatMap((side) =>
    accountingFaults(task, servers[side].scenario, measured.usage[side]?.telemetry, requests[side], unseen),
  );
  return {
    task: task.name,
    scenario: scenario.name,
    warmUp: { isSteady: warmed.isSteady },
    sliceSeconds,
    command: loadCommands(bench.tool, alone.scenario.load, bench.pinning)[0]?.argv ?? [],
    ...measured,
    exported,
    invalid: [...faults, ...unaccounted],
  };
}

/** All slices of a pair, what its servers used meanwhile, and what went wrong. */
async function measureSlices(bench: Bench, alone: Both<Player>, together: Both<Player>, first: Side) {
  const { alternatingSlices, duetSlices } = bench.configuration;
  await atOnce('baseline', (side) => alone[side].server.probe.begin());
  const alternating = await repeat(alternatingSlices, (index) => alternatingSlice(bench, alone, sideAt(index, first)));
  const duets = await repeat(duetSlices, (index) => duetSlice(bench, together, sideAt(index, first)));
  return {
    alternating: alternating.map(({ slice }) => slice),
    duets: duets.map(({ slice }) => slice),
    usage: await atOnce('baseline', (side) => alone[side].server.probe.end()),
    faults: [...faultsOf('alternating slice', alternating), ...faultsOf('duet slice', duets)],
  };
}

/** B S S B B S ...: neighbours of a slice are of the other server, whatever drifts. */
export function sideAt(index: number, first: Side): Side {
  return index % 2 === 0 ? first : otherSide(first);
}

/**
 * Starts the two one after the other, in the given order, each after the sink that it needs, and checks that each answers as
 * it should.
 */
export async function startBoth(
  bench: Bench,
  task: LoadedTask,
  scenarios: Both<Scenario>,
  first: Side,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  const { pinning, configuration } = bench;
  const servers: Server[] = [];
  const sinks: Sink[] = [];
  const stopAll = async () => {
    await Promise.all(servers.map(({ child }) => child.stop()));
    // Later, since a server may export what it has left when it ends.
    await Promise.all(sinks.map(({ child }) => child.stop()));
  };
  const start = async (side: Side): Promise<Started> => {
    const scenario = scenarios[side];
    const sink = needsSink(task, scenario, configuration.export) ? await startSink(pinning) : null;
    if (sink) sinks.push(sink);
    const measured = asMeasured(task, scenario, configuration.export, sink?.address);
    const server = await startServer(measured, bench, moreEnv);
    servers.push(server);
    for (const exchange of task.exchanges) await checkAnswer(scenario, server.origin, exchange);
    return { scenario, server, sink };
  };
  try {
    return { ...(await inTurn(first, start)), [Symbol.asyncDispose]: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function repeat<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < times; index++) results.push(await work(index));
  return results;
}

function requestsIn({ alternating, duets }: Pick<Pair, 'alternating' | 'duets'>, side: Side): number {
  return [...alternating, ...duets].reduce((sum, slice) => sum + slice[side].requests, 0);
}

function faultsOf(what: string, measured: Measured<unknown>[]): string[] {
  return measured.flatMap(({ faults }, index) => faults.map((fault) => `${what} ${index + 1}: ${fault}`));
}
