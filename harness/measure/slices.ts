import { runLoad } from '../load/run-load.ts';
import type { Load } from '../load/tool.ts';
import { describeExit } from '../machine/child.ts';
import { watchCores } from '../machine/cores.ts';
import { type CpuClock, cpuTimeBetween, readGroup } from '../machine/cpu-time.ts';
import type { AlternatingSlice, DuetSlice, Loaded, Side } from '../result/schema.ts';
import type { Server } from '../server/server.ts';
import type { Sink } from '../sink/sink.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, otherSide, SIDES } from './bench.ts';

/** A server, what receives its spans if it exports to a sink, and the load that it gets in a slice. */
export interface Player {
  scenario: Scenario;
  server: Server;
  sink: Pick<Sink, 'pid' | 'counts'> | null;
  load: Load;
}

/** A slice, and why it is not to be believed. */
export interface Measured<Slice> {
  slice: Slice;
  /** Empty for a good one. */
  faults: string[];
  /** The load tool's command for the scenario's server. */
  command: string[];
}

/** One server under the whole load and then the other, the idle one alive. */
export async function alternatingSlice(
  bench: Bench,
  players: Both<Player>,
  first: Side,
): Promise<Measured<AlternatingSlice>> {
  const alone = async (side: Side) => {
    const cores = watchCores(bench.pinning);
    const run = await underLoad(bench, players[side]);
    return { ...run, cores: cores() };
  };
  const second = otherSide(first);
  const runs = { [first]: await alone(first), [second]: await alone(second) } as Both<
    Awaited<ReturnType<typeof alone>>
  >;
  const { baseline, scenario } = runs;
  const slice = {
    first,
    baseline: baseline.loaded,
    scenario: scenario.loaded,
    cores: { baseline: baseline.cores, scenario: scenario.cores },
  };
  return { slice, faults: faultsOf(runs), command: scenario.command };
}

/**
 * Both servers under load at the same time, so that what disturbs the machine disturbs both. The load on `first` starts a
 * moment earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(bench: Bench, players: Both<Player>, first: Side): Promise<Measured<DuetSlice>> {
  const cores = watchCores(bench.pinning);
  const second = otherSide(first);
  const [one, other] = await Promise.all([underLoad(bench, players[first]), underLoad(bench, players[second])]);
  const runs = { [first]: one, [second]: other } as Both<Run>;
  const { baseline, scenario } = runs;
  const slice = { baseline: baseline.loaded, scenario: scenario.loaded, cores: cores() };
  return { slice, faults: faultsOf(runs), command: scenario.command };
}

export interface Run {
  loaded: Loaded;
  faults: string[];
  command: string[];
}

/** One run of the load tool, and the CPU time that the server's processes used meanwhile. */
export async function underLoad({ clock, tool, pinning }: Bench, player: Player): Promise<Run> {
  const { child } = player.server;
  const before = clock && readGroup(clock, child.pid);
  const sinkBeforeNs = readSink(clock, player.sink);
  const { result, command, used } = await runLoad(tool, player.load, pinning);
  const sinkNs = readSink(clock, player.sink) - sinkBeforeNs;
  const cpuNs = clock && before && cpuTimeBetween(before, readGroup(clock, child.pid));
  const faults = result.errors.map(
    ({ kind, detail, count }) => `${count} x ${kind === 'other' ? '' : `${kind}: `}${detail}`,
  );
  if (result.requests === 0) faults.push('no request was answered');
  if (child.exit) faults.push(`the server ended with ${describeExit(child.exit)} under load`);
  else if (clock && cpuNs === undefined) faults.push('a helper process ended, and its CPU time is lost');
  return {
    loaded: {
      ...result,
      cpuNs: cpuNs ?? null,
      toolCpuNs: used.cpuNs,
      toolSleeps: used.sleeps,
      sinkCpuNs: Number.isNaN(sinkNs) ? null : sinkNs,
    },
    faults: faults.map((fault) => `${player.scenario.name}: ${fault}`),
    command,
  };
}

/** CPU time of the sink in ns; not a number if there is none, or it has ended. */
function readSink(clock: CpuClock | undefined, sink: Player['sink']): number {
  try {
    return clock && sink ? clock.readNs(sink.pid) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

function faultsOf(runs: Both<Run>): string[] {
  return SIDES.flatMap((side) => runs[side].faults);
}
