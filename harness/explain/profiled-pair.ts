import { readThreads, threadTimesBetween } from '../machine/threads.ts';
import type { PlannedPair } from '../pair/order.ts';
import { type Bench, type Both, inTurn, loadOf } from '../pair/sides.ts';
import { faultsOf, underLoad } from '../pair/slices.ts';
import { type Started, startBoth } from '../pair/starts.ts';
import { warmUp } from '../pair/warm-up.ts';
import type { LoadedTask } from '../suite/load.ts';
import { Problem } from '../words/errors.ts';
import { sampleKernel } from './kernel.ts';

/** How long the JavaScript of each server is sampled, and then what the kernel does for it. */
const PROFILE_SECONDS = 3;
const KERNEL_SECONDS = 1;
/** What all of a pair takes, with start and warm-up. */
export const PAIR_SECONDS = 6 + 2 * (PROFILE_SECONDS + KERNEL_SECONDS);

/** Lets JavaScriptCore tell which inlined function a sample is in; else it books it to the caller (docs/explain.md). */
const KNOW_INLINED = { BUN_JSC_alwaysGeneratePCToCodeOriginMap: '1' };

/** What the threads of JavaScriptCore's and V8's samplers are called. */
const SAMPLERS = /^(thread|.*ProfEvntProc)$/;

/**
 * Profiles one pair: as `measurePair`, with one alternating slice in place of all. Its times are no measurement.
 * @throws Problem if a server can't be profiled, or if there are errors under load.
 */
export async function profilePair(bench: Bench, planned: PlannedPair): Promise<Both<ProfiledServer>> {
  const { task, loadedFirst } = planned;
  await using servers = await startBoth(bench, planned, KNOW_INLINED);
  await warmUp(bench, task, servers);
  // Awaited, since the servers stop when this returns.
  return await inTurn(loadedFirst, (side) => profiled(bench, task, servers[side]));
}

export type ProfiledServer = Awaited<ReturnType<typeof profiled>>;

/** One server under the whole load, while its JavaScript is sampled. */
async function profiled(bench: Bench, task: LoadedTask, started: Started) {
  const { pid, probe } = started.server;
  const intervalUs = await probe.beginProfile();
  const before = readThreads(pid);
  const { requests, cpuNs } = await loaded(bench, task, started, PROFILE_SECONDS);
  const times = threadTimesBetween(before, readThreads(pid));
  const profile = await probe.endProfile();
  const { ns, waitedNs } = times.get(pid) ?? { ns: 1, waitedNs: 0 };
  times.delete(pid);
  const threadNs: Record<string, number> = {};
  let samplerNs = 0;
  for (const { name, ns } of times.values()) {
    const kind = name.replace(/[\W\d]+$/, '');
    if (SAMPLERS.test(kind)) samplerNs += ns;
    else threadNs[kind] = (threadNs[kind] ?? 0) + ns;
  }
  return {
    /** Profiler.Profile of the DevTools protocol. */
    profile,
    intervalUs,
    requests,
    /** Without the sampler's thread. */
    cpuNs: cpuNs - samplerNs,
    /** CPU time of the thread that runs JavaScript, as a part of the time for which it wanted a core: it shares that. */
    ranShare: ns / (ns + waitedNs),
    /** CPU time of other threads by their names without numbers, and without the sampler. Empty if nothing tells. */
    threadNs,
    /** Samples of what the kernel does, afterwards, without the profiler. */
    kernel: await sampleKernel(pid, KERNEL_SECONDS, () => loaded(bench, task, started, KERNEL_SECONDS)),
  };
}

async function loaded(bench: Bench, task: LoadedTask, started: Started, seconds: number) {
  const slice = await underLoad(bench, started, loadOf(bench, task, seconds));
  const { requests, cpuNs } = slice;
  const faults = faultsOf(started, slice);
  if (faults.length === 0 && cpuNs !== null) return { requests, cpuNs };
  throw new Problem(`Profiling failed: ${faults.join('; ')}`, 'Fix what failed, and try again');
}
