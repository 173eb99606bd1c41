import { sum } from 'simple-statistics';
import { loadCommands } from '../load/run-load.ts';
import { checkOpen } from '../machine/child.ts';
import type { Loaded, Pair, Side } from '../result/schema.ts';
import { sentIn } from '../suite/load.ts';
import { atOnce, type Bench, type Both, forBoth, loadOf, SIDES } from './bench.ts';
import { awaitExport, surplus } from './exported.ts';
import { type PlannedPair, sideAt } from './order.ts';
import { alternatingSlice, duetSlice, faultsOf } from './slices.ts';
import { type Started, startBoth } from './starts.ts';
import { sliceSecondsFor, warmUp } from './warm-up.ts';

/**
 * Measures one pair: starts both servers on one core, checks their answers, warms them up, and measures alternating slices
 * and then duet slices (Bulej et al., Duet Benchmarking, ICPE 2020). Errors under load make the pair invalid as a whole.
 * @throws Problem if a server or the load tool does not do its part.
 */
export async function measurePair(bench: Bench, planned: PlannedPair): Promise<Pair> {
  const { task, scenario, loadedFirst } = planned;
  const { alternatingSlices, duetSlices } = bench.configuration;
  await using servers = await startBoth(bench, planned);
  const warmed = await warmUp(bench, task, servers);
  const sliceSeconds = sliceSecondsFor(task.rate ?? Number.POSITIVE_INFINITY, warmed.sliceSeconds);
  const load = loadOf(bench, task, sliceSeconds);
  const duetLoad = loadOf(bench, task, sliceSeconds, 2);
  const slices = <T>(length: number, measure: (first: Side) => Promise<T>) =>
    Array.fromAsync({ length }, (_, at) => measure(sideAt(at, loadedFirst)));
  await atOnce('baseline', (side) => servers[side].server.probe.begin());
  const alternating = await slices(alternatingSlices, (first) => alternatingSlice(bench, servers, load, first));
  const duets = await slices(duetSlices, (first) => duetSlice(bench, servers, duetLoad, first));
  const usage = await atOnce('baseline', (side) => servers[side].server.probe.end());
  // All that each server ever answered, the checks of its answers and the warm-up among it.
  const exchanges = sentIn(task);
  const measured = forBoth((side) => sum([...alternating, ...duets].map((slice) => slice[side].requests)));
  const requests = forBoth((side) => exchanges.length + warmed.requests[side] + measured[side]);
  const exported = await atOnce('baseline', (side) => awaitExport(exchanges, servers[side], requests[side]));
  // The load tool may end a slice without having seen the last answer of each connection.
  const unseen = alternating.length * load.connections + (warmed.slices + duets.length) * duetLoad.connections;
  const [command] = loadCommands(bench.tool, { ...load, origin: servers.scenario.server.origin }, bench.pinning);
  checkOpen();
  return {
    task: task.name,
    scenario: scenario.name,
    warmUp: { isSteady: warmed.isSteady },
    sliceSeconds,
    command: command?.argv ?? [],
    ...{ alternating, duets, usage, exported },
    invalid: [
      ...faultsIn('alternating slice', alternating, servers),
      ...faultsIn('duet slice', duets, servers),
      ...SIDES.flatMap((side) => surplus(servers[side].scenario, exported[side], requests[side], unseen)),
    ],
  };
}

function faultsIn(what: string, slices: Both<Loaded>[], servers: Both<Started>): string[] {
  return slices.flatMap((slice, index) => {
    const faults = SIDES.flatMap((side) => faultsOf(servers[side], slice[side]));
    return faults.map((fault) => `${what} ${index + 1}: ${fault}`);
  });
}
