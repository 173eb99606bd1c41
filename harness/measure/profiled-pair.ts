import { readThreads, threadTimesBetween } from '../machine/threads.ts';
import { Problem } from '../problem.ts';
import type { Side } from '../result/schema.ts';
import type { LoadedTask } from '../suite/load.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, otherSide } from './bench.ts';
import type { PlannedPair } from './order.ts';
import { playersOf, startBoth } from './pair.ts';
import { type Player, underLoad } from './slices.ts';
import { warmUp } from './warm-up.ts';

/** How long each server is profiled. */
export const PROFILE_SECONDS = 4;

/** Lets JavaScriptCore tell which inlined function a sample is in; else it books it to the caller (docs/explain.md). */
const KNOW_INLINED = { BUN_JSC_alwaysGeneratePCToCodeOriginMap: '1' };

/**
 * Profiles one pair: as `measurePair`, with one alternating slice in place of all. What it says of time is not a measurement.
 * @throws Problem if a server can't be profiled, or if there are errors under load.
 */
export async function profilePair(bench: Bench, task: LoadedTask, planned: PlannedPair): Promise<Both<ProfiledServer>> {
  const { startedFirst, loadedFirst } = planned;
  const scenario = task.scenarios.find(({ name }) => name === planned.scenario) as Scenario;
  const scenarios = { baseline: task.baseline, scenario };
  await using servers = await startBoth(bench, task, scenarios, startedFirst, KNOW_INLINED);
  const { connections, duetConnections } = bench.configuration;
  await warmUp(bench, playersOf(task, servers, duetConnections, 1, undefined));
  const players = playersOf(task, servers, connections, PROFILE_SECONDS, task.rate);
  const profile = (side: Side) => profiled(bench, players[side]);
  const one = await profile(loadedFirst);
  const other = await profile(otherSide(loadedFirst));
  return loadedFirst === 'baseline' ? { baseline: one, scenario: other } : { baseline: other, scenario: one };
}

export type ProfiledServer = Awaited<ReturnType<typeof profiled>>;

/** One server under the whole load, while its JavaScript is sampled. */
async function profiled(bench: Bench, player: Player) {
  const { pid, probe } = player.server;
  const intervalUs = await probe.beginProfile();
  const before = readThreads(pid);
  const { loaded, faults } = await underLoad(bench, player);
  const threads = threadTimesBetween(before, readThreads(pid));
  const profile = await probe.endProfile();
  const { requests, cpuNs } = loaded;
  if (faults.length > 0 || cpuNs === null)
    throw new Problem(`Profiling failed: ${faults.join('; ')}`, 'Fix what failed, and try again');
  const { ns, waitedNs } = threads?.get(pid) ?? { ns: 1, waitedNs: 0 };
  threads?.delete(pid);
  const threadNs: Record<string, number> = {};
  for (const { name, ns } of threads?.values() ?? []) {
    const kind = name.replace(/[\W\d]+$/, '');
    threadNs[kind] = (threadNs[kind] ?? 0) + ns;
  }
  return {
    /** The text of a `.cpuprofile` file. */
    profile,
    /** How often it was to be sampled. */
    intervalUs,
    requests,
    cpuNs,
    /** CPU time of the thread that runs JavaScript, as a part of the time for which it wanted a core: it shares that. */
    ranShare: ns / (ns + waitedNs),
    /** CPU time of other threads by their names without numbers. Empty if nothing tells. */
    threadNs,
  };
}
