import { runLoad } from '../load/run-load.ts';
import { describeExit } from '../machine/child.ts';
import { watchCores } from '../machine/cores.ts';
import { type CpuClock, cpuTimeBetween, readGroup } from '../machine/cpu-time.ts';
import { coresOf } from '../machine/pinning.ts';
import { ifThere } from '../machine/read.ts';
import type { AlternatingSlice, DuetSlice, Loaded, Side } from '../result/schema.ts';
import type { Sink } from '../sink/sink.ts';
import { atOnce, type Bench, type Both, forBoth, inTurn, SIDES, type TaskLoad } from './bench.ts';
import type { Started } from './start-both.ts';

/** Below this part of the requests asked for, and above this part of its cores for the load tool, a rate is not held. */
const LEAST_ANSWERED = 0.99;
const MOST_TOOL_SHARE = 0.9;

/** A slice, and why it is not to be believed: no faults for a good one. */
export interface Measured<Slice> {
  slice: Slice;
  faults: string[];
}

/** One server under the whole load and then the other, the idle one alive. */
export async function alternatingSlice(
  bench: Bench,
  servers: Both<Started>,
  load: TaskLoad,
  first: Side,
): Promise<Measured<AlternatingSlice>> {
  const runs = await inTurn(first, async (side) => {
    const cores = watchCores(bench.pinning);
    const run = await underLoad(bench, servers[side], load);
    return { ...run, cores: cores() };
  });
  const late = SIDES.flatMap((side) => lateness(bench, load, [runs[side]]));
  return measured(runs, late, { cores: forBoth((side) => runs[side].cores) });
}

/**
 * Both servers under load at the same time, so that what disturbs the machine disturbs both. The load on `first` starts a
 * moment earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(
  bench: Bench,
  servers: Both<Started>,
  load: TaskLoad,
  first: Side,
): Promise<Measured<DuetSlice>> {
  const cores = watchCores(bench.pinning);
  const runs = await atOnce(first, (side) => underLoad(bench, servers[side], load));
  return measured(runs, lateness(bench, load, [runs.baseline, runs.scenario]), { cores: cores() });
}

function measured<More>(
  runs: Both<Run>,
  late: string[],
  more: More,
): Measured<Both<Loaded> & More & { late?: string }> {
  return {
    slice: { ...forBoth((side) => runs[side].loaded), ...more, ...(late.length > 0 && { late: late.join(', ') }) },
    faults: SIDES.flatMap((side) => runs[side].faults),
  };
}

type Run = Awaited<ReturnType<typeof underLoad>>;

/** One run of the load tool, and the CPU time that the server's processes used meanwhile. */
export async function underLoad({ clock, tool, pinning }: Bench, { scenario, server, sink }: Started, load: TaskLoad) {
  const { child, origin } = server;
  const before = clock && readGroup(clock, child.pid);
  const sinkBeforeNs = readSink(clock, sink);
  const { result, ...toolUse } = await runLoad(tool, { ...load, origin }, pinning);
  const sinkNs = readSink(clock, sink) - sinkBeforeNs;
  const cpuNs = clock && before && cpuTimeBetween(before, readGroup(clock, child.pid));
  const faults = result.errors.map(({ detail, count }) => `${count} x ${detail}`);
  if (result.requests === 0) faults.push('no request was answered');
  // The first is the one that reports show.
  if (child.exit) faults.unshift(`the server ended with ${describeExit(child.exit)} under load`);
  else if (clock && cpuNs === undefined) faults.push('a helper process ended, and its CPU time is lost');
  const loaded: Loaded = {
    ...result,
    cpuNs: cpuNs ?? null,
    ...toolUse,
    sinkCpuNs: Number.isNaN(sinkNs) ? null : sinkNs,
  };
  return { loaded, faults: faults.map((fault) => `${scenario.name}: ${fault}`) };
}

/** Why a steady rate was not held by servers that were under load at once: too few answers, or a tool without time left. */
function lateness({ pinning }: Bench, { rate = 0, durationSeconds }: TaskLoad, runs: Run[]): string[] {
  const asked = rate * durationSeconds;
  const toolNs = runs.reduce((sum, { loaded }) => sum + loaded.toolCpuNs, 0);
  const toolShare = toolNs / 1e9 / durationSeconds / coresOf(pinning);
  if (rate > 0 && toolShare >= MOST_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
  return runs
    .filter(({ loaded: { requests, underWay = 0 } }) => requests + underWay < Math.floor(LEAST_ANSWERED * asked))
    .map(({ loaded: { requests } }) => `${requests} of ${asked} requests were answered`);
}

/** CPU time of the sink in ns; not a number if there is none, or it has ended. */
function readSink(clock: CpuClock | undefined, sink: Sink | null): number {
  return (sink && ifThere(() => clock?.readNs(sink.child.pid))) ?? Number.NaN;
}
