import { compilerNsBetween } from '../machine/threads.ts';
import type { Pair, Side } from '../result/schema.ts';
import { checkAnswer } from '../server/check.ts';
import { type Server, startServer } from '../server/server.ts';
import { Sink } from '../sink/sink.ts';
import { asMeasured, needsSink } from '../suite/exporting.ts';
import type { LoadedTask } from '../suite/load.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { accountingFaults } from './accounting.ts';
import { type Bench, type Both, both, loadOf, otherSide, SIDES } from './bench.ts';
import { awaitExport } from './exported.ts';
import type { PlannedPair } from './order.ts';
import { alternatingSlice, duetSlice, type Measured, type Player } from './slices.ts';
import { compilerTimes, warmUp } from './warm-up.ts';

/**
 * Measures one pair: starts both servers on one core, checks their answers, warms them up, and measures alternating slices
 * and then duet slices (Bulej et al., Duet Benchmarking, ICPE 2020). The servers are stopped in any case. Errors under
 * load make the pair invalid as a whole.
 * @throws Problem if a server or the load tool does not do its part.
 */
export async function measurePair(bench: Bench, task: LoadedTask, planned: PlannedPair): Promise<Pair> {
  const startedAt = new Date().toISOString();
  const scenario = task.scenarios.find(({ name }) => name === planned.scenario) as Scenario;
  await using started = await startBoth(bench, task, { baseline: task.baseline, scenario }, planned.startedFirst);
  const players = (...load: [connections: number, seconds: number, rate: number | undefined]) =>
    playersOf(task, started, ...load);
  const { connections, duetConnections } = bench.configuration;
  // At whatever rate the task is measured: the more requests, the sooner the servers are steady.
  const { outcome, sliceSeconds, requests } = await warmUp(bench, players(duetConnections, 1, undefined));
  const alone = players(connections, sliceSeconds, task.rate);
  const together = players(duetConnections, sliceSeconds, task.rate);
  const { faults, ...measured } = await measureSlices(bench, alone, together, planned.loadedFirst);
  const exported = await exportedBy(task, alone, requests, measured);
  const unaccounted = SIDES.flatMap((side) => accountsOf(bench, task, alone[side].scenario, measured, side));
  return {
    task: task.name,
    scenario: scenario.name,
    startedAt,
    startedFirst: planned.startedFirst,
    warmUp: outcome,
    sliceSeconds,
    ...measured,
    exported,
    invalid: [...faults, ...unaccounted],
  };
}

/** The servers with this load on each. */
export function playersOf(
  task: LoadedTask,
  { baseline, scenario }: Both<Started>,
  connections: number,
  seconds: number,
  rate: number | undefined,
): Both<Player> {
  const load = ({ server }: Started) => loadOf({ ...task, rate }, server.port, connections, seconds);
  return { baseline: { ...baseline, load: load(baseline) }, scenario: { ...scenario, load: load(scenario) } };
}

type Slices = Pick<Pair, 'command' | 'alternating' | 'duets' | 'usage' | 'compilerNs'>;

/** All slices of a pair, what its servers used meanwhile, and what went wrong. */
async function measureSlices(
  bench: Bench,
  alone: Both<Player>,
  together: Both<Player>,
  loadedFirst: Side,
): Promise<Slices & { faults: string[] }> {
  const { alternatingSlices, duetSlices } = bench.configuration;
  await both(alone, ({ server }) => server.probe.begin());
  const before = compilerTimes(alone);
  const alternating = await repeat(alternatingSlices, (index) =>
    alternatingSlice(bench, alone, sideAt(index, loadedFirst)),
  );
  const duets = await repeat(duetSlices, (index) => duetSlice(bench, together, sideAt(index, loadedFirst)));
  const after = compilerTimes(alone);
  const usage = await both(alone, ({ server }) => server.probe.end());
  return {
    command: alternating[0]?.command ?? duets[0]?.command ?? [],
    alternating: alternating.map(({ slice }) => slice),
    duets: duets.map(({ slice }) => slice),
    usage,
    compilerNs: {
      baseline: compilerNsBetween(before.baseline, after.baseline),
      scenario: compilerNsBetween(before.scenario, after.scenario),
    },
    faults: [...faultsOf('alternating slice', alternating), ...faultsOf('duet slice', duets)],
  };
}

/** B S S B B S ...: neighbours of a slice are of the other server, whatever drifts. */
export function sideAt(index: number, first: Side): Side {
  return index % 2 === 0 ? first : otherSide(first);
}

/** A server, what it runs, and its sink. */
type Started = Omit<Player, 'load'>;

/**
 * Starts the two one after the other, in the given order, each after the sink that it needs, and checks that each answers as
 * it should.
 */
export async function startBoth(
  { suite, pinning, configuration }: Bench,
  task: LoadedTask,
  scenarios: Both<Scenario>,
  first: Side,
  moreEnv: Record<string, string> = {},
): Promise<Both<Started> & AsyncDisposable> {
  const servers: Server[] = [];
  const sinks: Sink[] = [];
  const stopAll = async () => {
    await Promise.all(servers.map(({ child }) => child.stop()));
    // Later, since a server may export what it has left when it ends.
    await Promise.all(sinks.map((sink) => sink.stop()));
  };
  const start = async (side: Side): Promise<Started> => {
    const scenario = scenarios[side];
    const sink = needsSink(task, scenario, configuration.export) ? await Sink.start(pinning) : null;
    if (sink) sinks.push(sink);
    const measured = asMeasured(task, scenario, configuration.export, sink?.address);
    const server = await startServer(measured, suite.cwd, pinning, moreEnv);
    servers.push(server);
    const origin = `http://127.0.0.1:${server.port}`;
    for (const exchange of task.exchanges) await checkAnswer(scenario, origin, exchange);
    return { scenario, server, sink };
  };
  try {
    const one = await start(first);
    const other = await start(otherSide(first));
    const [baseline, scenario] = first === 'baseline' ? [one, other] : [other, one];
    return { baseline, scenario, [Symbol.asyncDispose]: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** What arrived of all that each server ever recorded, the checks of its answers and the warm-up among it. */
async function exportedBy(
  task: LoadedTask,
  players: Both<Player>,
  warmUpRequests: Both<number>,
  measured: Slices,
): Promise<Pair['exported']> {
  const of = (side: Side) => {
    const requests = task.exchanges.length + warmUpRequests[side] + requestsIn(measured, side);
    return awaitExport(task, players[side], requests);
  };
  const [baseline, scenario] = await Promise.all([of('baseline'), of('scenario')]);
  return { baseline, scenario };
}

async function repeat<T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < times; index++) results.push(await work(index));
  return results;
}

function requestsIn({ alternating, duets }: Pick<Slices, 'alternating' | 'duets'>, side: Side): number {
  return [...alternating, ...duets].reduce((sum, slice) => sum + slice[side].requests, 0);
}

function faultsOf(what: string, measured: Measured<unknown>[]): string[] {
  return measured.flatMap(({ faults }, index) => faults.map((fault) => `${what} ${index + 1}: ${fault}`));
}

/** The load tool may end a slice without having seen the last answer of each connection. */
function accountsOf(
  { configuration: { connections, duetConnections } }: Bench,
  task: LoadedTask,
  scenario: Scenario,
  { alternating, duets, usage }: Slices,
  side: Side,
): string[] {
  const requests = requestsIn({ alternating, duets }, side);
  const unseen = (alternating.length + 1) * connections + (duets.length + 1) * duetConnections;
  const faults = accountingFaults(task, scenario, usage[side]?.telemetry, requests, unseen);
  return faults.map((fault) => `${scenario.name}: ${fault}`);
}
