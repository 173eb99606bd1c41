import { readThreads, type ThreadTimes, threadTimesBetween } from '../machine/threads.ts';
import { Problem } from '../problem.ts';
import type { LoadedTask } from '../suite/load.ts';
import type { Scenario } from '../suite/suite-schema.ts';
import { type Bench, type Both, loadOf, otherSide } from './bench.ts';
import type { PlannedPair } from './order.ts';
import { startBoth } from './pair.ts';
import { type Player, underLoad } from './slices.ts';
import { warmUp } from './warm-up.ts';

/** How long each server is profiled. */
export const PROFILE_SECONDS = 4;

/** Lets JavaScriptCore tell which inlined function a sample is in; else it books it to the caller (docs/explain.md). */
const KNOW_INLINED = { BUN_JSC_alwaysGeneratePCToCodeOriginMap: '1' };

/** One server under the whole load, while its JavaScript was sampled. */
export interface ProfiledServer {
  /** The text of a `.cpuprofile` file. */
  profile: string;
  /** How often it was to be sampled. */
  intervalUs: number;
  requests: number;
  cpuNs: number;
  /** CPU time of the thread that runs JavaScript, as a part of the time for which it wanted a core: it shares that. */
  ranShare: number;
  /** CPU time of other threads by their names without numbers. Empty if nothing tells. */
  threadNs: Record<string, number>;
}

/**
 * Profiles one pair: as `measurePair`, with one alternating slice in place of all. What it says of time is not a measurement.
 * @throws Problem if a server can't be profiled, or if there are errors under load.
 */
export async function profilePair(
  bench: Bench,
  task: LoadedTask,
  { scenario: name, startedFirst, loadedFirst }: PlannedPair,
): Promise<Both<ProfiledServer>> {
  const scenarios = {
    baseline: task.baseline,
    scenario: task.scenarios.find((each) => each.name === name) as Scenario,
  };
  await using started = await startBoth(bench, task, scenarios, startedFirst, KNOW_INLINED);
  const { connections, duetConnections } = bench.configuration;
  const player = (side: keyof typeof scenarios, count: number, seconds: number, rate?: number): Player => {
    const server = started[side];
    return { scenario: scenarios[side], server, load: loadOf({ ...task, rate }, server.port, count, seconds) };
  };
  await warmUp(bench, {
    baseline: player('baseline', duetConnections, 1),
    scenario: player('scenario', duetConnections, 1),
  });
  const profile = (side: keyof typeof scenarios) =>
    profiled(bench, player(side, connections, PROFILE_SECONDS, task.rate));
  const one = await profile(loadedFirst);
  const other = await profile(otherSide(loadedFirst));
  return loadedFirst === 'baseline' ? { baseline: one, scenario: other } : { baseline: other, scenario: one };
}

async function profiled(bench: Bench, player: Player): Promise<ProfiledServer> {
  const { pid, probe } = player.server;
  const intervalUs = await probe.beginProfile();
  const before = readThreads(pid);
  const { loaded, faults } = await underLoad(bench, player);
  const threads = threadTimesBetween(before, readThreads(pid));
  const profile = await probe.endProfile();
  const { requests, cpuNs } = loaded;
  if (faults.length > 0 || cpuNs === null)
    throw new Problem(`Profiling failed: ${faults.join('; ')}`, 'Fix what failed, and try again');
  return { profile, intervalUs, requests, cpuNs, ...threadUse(pid, threads) };
}

function threadUse(pid: number, threads: ThreadTimes | null): Pick<ProfiledServer, 'ranShare' | 'threadNs'> {
  let ranShare = 1;
  const threadNs: Record<string, number> = {};
  for (const [thread, { name, ns, waitedNs }] of threads ?? []) {
    const kind = name.replace(/[\W\d]+$/, '');
    if (thread.endsWith(`/${pid}`)) ranShare = ns / (ns + waitedNs);
    else threadNs[kind] = (threadNs[kind] ?? 0) + ns;
  }
  return { ranShare, threadNs };
}
