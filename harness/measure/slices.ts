import { coresOf, runLoad } from '../load/run-load.ts';
import type { Load } from '../load/tool.ts';
import { describeExit } from '../machine/child.ts';
import { watchCores } from '../machine/cores.ts';
import { type CpuClock, cpuTimeBetween, readGroup } from '../machine/cpu-time.ts';
import { ifThere } from '../machine/read.ts';
import type { AlternatingSlice, DuetSlice, Loaded, Side } from '../result/schema.ts';
import type { Server } from '../server/server.ts';
import type { Sink } from '../sink/sink.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { atOnce, type Bench, type Both, forBoth, inTurn, SIDES } from './bench.ts';

/** Below this part of the requests asked for, and above this part of its cores for the load tool, a rate is not held. */
const LEAST_ANSWERED = 0.99;
const MOST_TOOL_SHARE = 0.9;

/** A server, what receives its spans if it exports to a sink, and the load that it gets in a slice. */
export interface Player {
  scenario: Scenario;
  server: Server;
  sink: Sink | null;
  load: Load;
}

/** A slice, and why it is not to be believed: no faults for a good one. */
export interface Measured<Slice> {
  slice: Slice;
  faults: string[];
}

/** One server under the whole load and then the other, the idle one alive. */
export async function alternatingSlice(
  bench: Bench,
  players: Both<Player>,
  first: Side,
): Promise<Measured<AlternatingSlice>> {
  const runs = await inTurn(first, async (side) => {
    const cores = watchCores(bench.pinning);
    const run = await underLoad(bench, players[side]);
    return { ...run, cores: cores() };
  });
  const late = lateness(bench, [[runs.baseline], [runs.scenario]]);
  return measured(runs, { first, cores: forBoth((side) => runs[side].cores), ...late });
}

/**
 * Both servers under load at the same time, so that what disturbs the machine disturbs both. The load on `first` starts a
 * moment earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(bench: Bench, players: Both<Player>, first: Side): Promise<Measured<DuetSlice>> {
  const cores = watchCores(bench.pinning);
  const runs = await atOnce(first, (side) => underLoad(bench, players[side]));
  return measured(runs, { cores: cores(), ...lateness(bench, [[runs.baseline, runs.scenario]]) });
}

function measured<More>(runs: Both<Run>, more: More): Measured<Both<Loaded> & More> {
  return {
    slice: { ...forBoth((side) => runs[side].loaded), ...more },
    faults: SIDES.flatMap((side) => runs[side].faults),
  };
}

type Run = Awaited<ReturnType<typeof underLoad>>;

/** One run of the load tool, and the CPU time that the server's processes used meanwhile. */
export async function underLoad({ clock, tool, pinning }: Bench, player: Player) {
  const { child } = player.server;
  const before = clock && readGroup(clock, child.pid);
  const sinkBeforeNs = readSink(clock, player.sink);
  const { result, used } = await runLoad(tool, player.load, pinning);
  const sinkNs = readSink(clock, player.sink) - sinkBeforeNs;
  const cpuNs = clock && before && cpuTimeBetween(before, readGroup(clock, child.pid));
  const faults = result.errors.map(
    ({ kind, detail, count }) => `${count} x ${kind === 'other' ? '' : `${kind}: `}${detail}`,
  );
  if (result.requests === 0) faults.push('no request was answered');
  if (child.exit) faults.push(`the server ended with ${describeExit(child.exit)} under load`);
  else if (clock && cpuNs === undefined) faults.push('a helper process ended, and its CPU time is lost');
  const loaded: Loaded = {
    ...result,
    cpuNs: cpuNs ?? null,
    toolCpuNs: used.cpuNs,
    toolSleeps: used.sleeps,
    sinkCpuNs: Number.isNaN(sinkNs) ? null : sinkNs,
  };
  return { loaded, load: player.load, faults: faults.map((fault) => `${player.scenario.name}: ${fault}`) };
}

/** Why a steady rate was not held: too few answers, or a load tool without time left. Runs in a group were at once. */
function lateness({ pinning }: Bench, groups: Run[][]): { late?: string } {
  const cores = coresOf(pinning);
  const reasons = groups.flatMap((runs) => {
    const paced = runs.flatMap(({ load: { rate, durationSeconds }, loaded }) =>
      rate === undefined ? [] : [{ asked: rate * durationSeconds, durationSeconds, loaded }],
    );
    const few = paced.filter(
      ({ asked, loaded }) => loaded.requests + (loaded.underWay ?? 0) < Math.floor(LEAST_ANSWERED * asked),
    );
    const toolShare = paced.reduce((sum, each) => sum + each.loaded.toolCpuNs / 1e9 / each.durationSeconds, 0) / cores;
    return [
      ...few.map(({ asked, loaded }) => `${loaded.requests} of ${asked} requests were answered`),
      ...(toolShare >= MOST_TOOL_SHARE ? ['the load tool had no time left'] : []),
    ];
  });
  return reasons.length > 0 ? { late: reasons.join(', ') } : {};
}

/** CPU time of the sink in ns; not a number if there is none, or it has ended. */
function readSink(clock: CpuClock | undefined, sink: Player['sink']): number {
  return (sink && ifThere(() => clock?.readNs(sink.child.pid))) ?? Number.NaN;
}
