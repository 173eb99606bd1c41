import { sum } from 'simple-statistics';
import { runLoad } from '../load/run-load.ts';
import { watchCores } from '../machine/cores.ts';
import { type CpuClock, cpuTimeBetween, readGroup } from '../machine/cpu-time.ts';
import { coresOf } from '../machine/pinning.ts';
import { ifThere } from '../machine/read.ts';
import type { Loaded, Side } from '../result/schema.ts';
import type { Sink } from '../sink/sink.ts';
import { atOnce, type Bench, type Both, forBoth, inTurn, type TaskLoad } from './sides.ts';
import type { Started } from './starts.ts';

/** Below this part of the requests asked for, and above this part of its cores for the load tool, a rate is not held. */
const LEAST_ANSWERED = 0.99;
const MOST_TOOL_SHARE = 0.9;

/** One server under the whole load and then the other, the idle one alive. */
export async function alternatingSlice(bench: Bench, servers: Both<Started>, load: TaskLoad, first: Side) {
  const runs = await inTurn(first, async (side) => {
    const cores = watchCores(bench.pinning);
    const loaded = await underLoad(bench, servers[side], load);
    return { loaded, cores: cores() };
  });
  const loaded = forBoth((side) => runs[side].loaded);
  const cores = forBoth((side) => runs[side].cores);
  return { ...loaded, cores, ...lateness(bench, load, [[loaded.baseline], [loaded.scenario]]) };
}

/**
 * Both servers under load at once, so that what disturbs the machine disturbs both. The load on `first` starts a moment
 * earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(bench: Bench, servers: Both<Started>, load: TaskLoad, first: Side) {
  const cores = watchCores(bench.pinning);
  const loaded = await atOnce(first, (side) => underLoad(bench, servers[side], load));
  return { ...loaded, cores: cores(), ...lateness(bench, load, [[loaded.baseline, loaded.scenario]]) };
}

/** One run of the load tool, and the CPU time that the server's processes used meanwhile. */
export async function underLoad({ clock, tool, pinning }: Bench, { server, sink }: Started, load: TaskLoad) {
  const { child, origin } = server;
  const before = clock && readGroup(clock, child.pid);
  const sinkBeforeNs = readSink(clock, sink);
  const loaded = await runLoad(tool, { ...load, origin }, pinning);
  const sinkNs = readSink(clock, sink) - sinkBeforeNs;
  const cpuNs = clock && before && cpuTimeBetween(before, readGroup(clock, child.pid));
  const errors = [...loaded.errors];
  // The first is the one that reports show.
  if (child.exit) {
    const detail = `the server ended with ${child.exit.how} under load; it said: ${child.complaint() || 'nothing'}`;
    errors.unshift({ detail, count: 1 });
  } else if (clock && cpuNs === undefined)
    errors.push({ detail: 'a helper process ended, and its CPU time is lost', count: 1 });
  return { ...loaded, errors, cpuNs: cpuNs ?? null, sinkCpuNs: Number.isNaN(sinkNs) ? null : sinkNs };
}

/** Why what was seen of the server is not to be believed; empty for a good slice. */
export function faultsOf({ scenario }: Started, { requests, errors }: Loaded): string[] {
  const faults = errors.map(({ detail, count }) => (count === 1 ? detail : `${count} x ${detail}`));
  if (requests === 0) faults.push('no request was answered');
  return faults.map((fault) => `${scenario.name}: ${fault}`);
}

/** Why a rate was not held: too few answers, or a tool without time left. `runs`: those at the same time together. */
function lateness({ pinning }: Bench, { rate = 0, durationSeconds }: TaskLoad, runs: Loaded[][]): { late?: string } {
  const asked = rate * durationSeconds;
  const reasons = runs.flatMap((group) => {
    const toolShare = sum(group.map(({ toolCpuNs }) => toolCpuNs)) / 1e9 / durationSeconds / coresOf(pinning);
    if (rate > 0 && toolShare >= MOST_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
    const isFew = ({ requests, underWay = 0 }: Loaded) => requests + underWay < Math.floor(LEAST_ANSWERED * asked);
    return group.filter(isFew).map(({ requests }) => `${requests} of ${asked} requests were answered`);
  });
  return reasons.length > 0 ? { late: reasons.join(', ') } : {};
}

/** CPU time of the sink in ns; not a number if there is none, or it has ended. */
function readSink(clock: CpuClock | undefined, sink: Sink | null): number {
  return (sink && ifThere(() => clock?.readNs(sink.child.pid))) ?? Number.NaN;
}
