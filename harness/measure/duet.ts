import type { Load } from '../load/tool.ts';
import { watchCores } from '../process/cores.ts';
import type { CpuClock } from '../process/cpu-clock.ts';
import type { DuetFork, DuetSide, DuetSlice } from '../results/schema.ts';
import { checkAnswers } from '../server/check.ts';
import type { Usage } from '../server/probe.ts';
import { type Server, startServer } from '../server/server.ts';
import type { Scenario } from '../suite/schema.ts';
import { accountingFaults } from './accounting.ts';
import { randomSource, shuffle } from './order.ts';
import { type Bench, during, faults, loadOf, type TaskNames, underLoad, warmUp } from './solo.ts';

/** Baseline and scenario, or anything else there are two of here. */
export type Pair<T> = Record<(typeof SIDES)[number], T>;
const SIDES = ['baseline', 'scenario'] as const;

/** A server with its load, and the processes whose CPU time is its own. */
interface Player {
  scenario: Scenario;
  server: Server;
  load: Load;
  pids: number[];
}

/**
 * One fork of a duet: fresh servers of both scenarios on one core, each with half the connections, under load at the
 * same time, so that what disturbs the machine disturbs both (Bulej et al., Duet Benchmarking, ICPE 2020).
 * Errors, a server that ends and a slice without requests make it invalid as a whole.
 * @throws Problem where a server or the load tool does not do its part.
 */
export async function measureDuet(
  bench: Bench & { clock: CpuClock },
  pair: Pair<Scenario>,
  slices: number,
  baselineFirst: boolean,
): Promise<DuetFork> {
  const startedAt = new Date().toISOString();
  await using players = await startPlayers(bench, pair, baselineFirst);
  const { baseline, scenario } = players;
  await both({ baseline, scenario }, ({ load }) => warmUp(bench, load));
  const ready = { baseline: withProcesses(baseline), scenario: withProcesses(scenario) };
  await both(ready, ({ server }) => server.probe.begin());
  const coreUse = watchCores(bench.pinning);
  const measured: SliceRun[] = [];
  for (let index = 0; index < slices; index++) measured.push(await measureSlice(bench, ready));
  const cores = coreUse();
  const usage = await both(ready, ({ server }) => server.probe.end());
  const [first] = measured;
  const done = measured.map(({ slice }) => slice);
  return {
    task: bench.task.name,
    scenario: pair.scenario.name,
    startedAt,
    baselineFirst,
    commands: first?.commands ?? { baseline: [], scenario: [] },
    slices: done,
    usage,
    cores,
    invalid: [
      ...done.flatMap((slice, index) =>
        sliceFaults(slice, ready).map((fault) => `slice ${index + 1}: ${fault}`),
      ),
      ...SIDES.flatMap((side) => sideAccountingFaults(bench, ready[side], done, side, usage[side])),
    ],
  };
}

function sideAccountingFaults(
  { task }: Pick<Bench, 'task'>,
  { scenario, load }: Player,
  slices: DuetSlice[],
  side: keyof Pair<unknown>,
  usage: Usage | null,
): string[] {
  const requests = slices.reduce((sum, slice) => sum + slice[side].load.requests, 0);
  const unseen = (slices.length + 1) * load.connections;
  return accountingFaults(task, scenario, usage?.telemetry, requests, unseen).map(
    (fault) => `${scenario.name}: ${fault}`,
  );
}

/** Measures one fork; a fake one makes the order testable without waiting. */
export type DuetExecutor = (
  task: string,
  scenario: string,
  fork: number,
  baselineFirst: boolean,
) => Promise<DuetFork>;

/**
 * Forks of all scenarios of all tasks, the baselines themselves among them: fork by fork, each time in random order, and
 * each time with another of the two servers started first, at random. Yields each fork as it is complete.
 */
export async function* duetForks(
  tasks: TaskNames,
  { forks, seed }: { forks: number; seed: number },
  measure: DuetExecutor,
): AsyncGenerator<DuetFork> {
  const random = randomSource(seed);
  const cells = [...tasks].flatMap(([task, scenarios]) => scenarios.map((scenario) => ({ task, scenario })));
  for (let index = 0; index < forks; index++) {
    for (const { task, scenario } of shuffle(cells, random))
      yield await measure(task, scenario, index, random() < 0.5);
  }
}

type StartedPlayers = Pair<Player> & AsyncDisposable;

/** Starts the two one after the other, in the given order, and checks that each answers as it should. */
async function startPlayers(
  bench: Bench,
  pair: Pair<Scenario>,
  baselineFirst: boolean,
): Promise<StartedPlayers> {
  const started: Player[] = [];
  const stopAll = async () => void (await Promise.all(started.map(({ server }) => server.child.stop())));
  const start = async (scenario: Scenario) => {
    const server = await startServer(scenario, bench.suite.cwd, bench.pinning);
    const player = { scenario, server, load: duetLoad(bench, server.port), pids: [] };
    started.push(player);
    await checkAnswers(scenario, player.load.origin, bench.task.exchanges);
    return player;
  };
  try {
    const [first, second] = baselineFirst ? [pair.baseline, pair.scenario] : [pair.scenario, pair.baseline];
    const players = [await start(first), await start(second)] as const;
    const [baseline, scenario] = baselineFirst ? players : ([players[1], players[0]] as const);
    return { baseline, scenario, [Symbol.asyncDispose]: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** The load of one slice on one of the two. */
export function duetLoad(bench: Pick<Bench, 'task' | 'configuration'>, port: number): Load {
  const load = during(loadOf(bench, port), bench.configuration.sliceSeconds);
  return { ...load, connections: Math.max(1, Math.round(load.connections / 2)) };
}

/** After the warm-up, when a server has started whatever helpers it has. */
function withProcesses(player: Player): Player {
  return { ...player, pids: player.server.child.processes() };
}

interface SliceRun {
  slice: DuetSlice;
  commands: Pair<string[]>;
}

async function measureSlice(bench: Bench & { clock: CpuClock }, players: Pair<Player>): Promise<SliceRun> {
  const runs = await both(players, async ({ load, pids }) => {
    const { output, result, command, cpuNs } = await underLoad(bench, pids, load);
    const { statistics: _, ...figures } = result;
    const side: DuetSide = { cpuNs: cpuNs ?? 0, output, load: figures };
    return { side, command };
  });
  return {
    slice: { baseline: runs.baseline.side, scenario: runs.scenario.side },
    commands: { baseline: runs.baseline.command, scenario: runs.scenario.command },
  };
}

function sliceFaults(slice: DuetSlice, players: Pair<Player>): string[] {
  return SIDES.flatMap((side) =>
    faults(players[side].server, slice[side].load).map((fault) => `${players[side].scenario.name}: ${fault}`),
  );
}

async function both<T, R>(pair: Pair<T>, work: (each: T) => Promise<R>): Promise<Pair<R>> {
  const [baseline, scenario] = await Promise.all([work(pair.baseline), work(pair.scenario)]);
  return { baseline, scenario };
}
