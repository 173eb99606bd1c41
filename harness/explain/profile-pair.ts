import { readTree } from '../machine/process-clock.ts';
import { readThreads, type ThreadTimes, threadTimesBetween } from '../machine/threads.ts';
import { type Arm, startBoth } from '../pair/arms.ts';
import { settleAtRate } from '../pair/settle-at-rate.ts';
import { type Both, sidesAt } from '../pair/sides.ts';
import { loadUntilResting } from '../pair/under-load.ts';
import { type WarmUpSettings, warmUp } from '../pair/warm-up.ts';
import type { World } from '../pair/world.ts';
import type { PlannedPair, PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import { faultText, remedyOf } from '../result/faults.ts';
import { Problem } from '../words/errors.ts';
import { sampleKernel } from './kernel.ts';
import { type Profile, packagesByUrl } from './profiles.ts';

/** How long the JavaScript of each server is sampled, and then what the kernel does for it. */
const PROFILE_SECONDS = 3;
const KERNEL_SECONDS = 1;

/**
 * Lets JavaScriptCore tell which inlined function a sample is in; else it books it to the caller
 * (docs/explain.md).
 */
const KNOW_INLINED = { BUN_JSC_alwaysGeneratePCToCodeOriginMap: '1' };

/** What the threads of JavaScriptCore's and V8's samplers are called. */
const SAMPLERS = /^thread (thread|.*ProfEvntProc)$/;

/**
 * Profiles one pair: as `measurePair`, with one alternating slice in place of all. Its times are no
 * measurement.
 * @throws Problem if a server can't be profiled, or if there are errors under load.
 */
export async function profilePair(
  world: World,
  pair: PlannedPair,
  settings: WarmUpSettings,
): Promise<Both<Profile>> {
  await using arms = await startBoth(world, pair, KNOW_INLINED);
  const running = { world, pair, arms };
  const { task } = pair.row;
  await warmUp(running, settings);
  if (task.rate !== undefined) await settleAtRate(running);
  const profiles = {} as Both<Profile>;
  for (const side of sidesAt(0, pair.loadedFirst))
    profiles[side] = await profileOf(world, task, arms[side]);
  return profiles;
}

/** What a server did under load. */
interface LoadUse {
  requests: number;
  cpuNs: number;
}

/** Loads one server wholly while its JavaScript is sampled, and then while the kernel is. */
async function profileOf(world: World, task: PlannedTask, arm: Arm): Promise<Profile> {
  const { child, probe } = arm.server;
  const pid = busiestProcess(child.pid);
  const threadsAtFirst = readThreads(pid);
  const intervalUs = await probe.beginProfile(pid);
  const threadsBefore = readThreads(pid);
  const { requests, cpuNs } = await loadFor(world, task, arm, PROFILE_SECONDS);
  const threads = threadTimesBetween(threadsBefore, readThreads(pid));
  const profile = (await probe.endProfile(pid)) as Profile | undefined;
  if (!profile?.nodes?.length)
    throw new Problem('The server gave no profile', 'explain needs Bun 1.4 or Node');
  const { samplerNs, othersNs, ranShare } = bookThreads(threads, pid, threadsAtFirst);
  const kernel = await sampleKernel(pid, KERNEL_SECONDS, () =>
    loadFor(world, task, arm, KERNEL_SECONDS),
  );
  return {
    ...profile,
    tracetax: {
      task: task.name,
      requests,
      cpuNs: cpuNs - samplerNs,
      ranShare,
      threadNs: othersNs,
      kernel,
      intervalUs,
      packages: packagesByUrl(profile, arm.planned.cwd),
    },
  };
}

/**
 * Returns one process of a server. Of a cluster it is one worker: what others take is outside its
 * JavaScript.
 */
function busiestProcess(child: number): number {
  const byCpu = [...readTree(child)].toSorted(([, one], [, other]) => other.ns - one.ns);
  return byCpu[0]?.[0] ?? child;
}

/**
 * Counts as costs are counted: a server worked for the requests that it had not answered, too.
 * @throws Problem for errors
 */
async function loadFor(
  world: World,
  task: PlannedTask,
  arm: Arm,
  seconds: number,
): Promise<LoadUse> {
  const { loaded, faults } = await loadUntilResting(world, arm, loadOf(task, seconds));
  const [first] = faults;
  if (first) {
    throw new Problem(
      `Profiling failed: ${faults.map(faultText).join('; ')}`,
      remedyOf(first.kind),
    );
  }
  return {
    requests: loaded.requests + loaded.underWay,
    cpuNs: loaded.cpuNs ?? Number.NaN,
  };
}

/** CPU time of a process while it was profiled. */
interface ThreadBooking {
  /** Of the profiler itself, which is no part of a cost. */
  samplerNs: number;
  /** Of other threads than the one that runs JavaScript, by their names without numbers. */
  othersNs: Record<string, number>;
  /** Of the thread that runs JavaScript, as a share of the time for which it wanted a core. */
  ranShare: number;
}

/** `atFirst`: threads before the profiler began. */
function bookThreads(times: ThreadTimes, main: number, atFirst: ThreadTimes): ThreadBooking {
  const mainTime = times.get(main) ?? { name: '', ns: 1, waitedNs: 0 };
  const othersNs: Record<string, number> = {};
  let samplerNs = 0;
  for (const [thread, { name, ns }] of times) {
    if (thread === main) continue;
    const kind = `thread ${name.replace(/[\W\d]+$/, '')}`;
    // Older versions of Node call all their threads by one name. That of the sampler has come with
    // it.
    const isNewAndNameless = name === mainTime.name && !atFirst.has(thread);
    if (SAMPLERS.test(kind) || isNewAndNameless) samplerNs += ns;
    else othersNs[kind] = (othersNs[kind] ?? 0) + ns;
  }
  return {
    samplerNs,
    othersNs,
    ranShare: mainTime.ns / (mainTime.ns + mainTime.waitedNs),
  };
}
