import { sum } from 'simple-statistics';
import { readTree } from '../machine/process-clock.ts';
import { readThreads, threadTimesBetween } from '../machine/threads.ts';
import { type Both, sidesAt } from '../pair/sides.ts';
import { type Arm, startBoth } from '../pair/start.ts';
import { loadUntilResting } from '../pair/under-load.ts';
import { type WarmUpSettings, warmUp } from '../pair/warm-up.ts';
import type { World } from '../pair/world.ts';
import type { PlannedPair, PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';

import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { Problem } from '../words/errors.ts';
import { type Profile, packagesIn } from './profiles.ts';

/** How long the JavaScript of each server is sampled, and then what the kernel does for it. */
const PROFILE_SECONDS = 3;
const KERNEL_SECONDS = 1;

/** Samples in a second of CPU time. */
const FREQUENCY = '1999';

/** Where a stack entered the kernel: a system call, on x64 or ARM, or memory that was not there. */
const ENTRIES = /__(?:x64|arm64)_sys_(\w+)|ksys_(\w+)|page_fault/g;

/** Lets JavaScriptCore tell which inlined function a sample is in; else it books it to the caller (docs/explain.md). */
const KNOW_INLINED = { BUN_JSC_alwaysGeneratePCToCodeOriginMap: '1' };

/** What the threads of JavaScriptCore's and V8's samplers are called. */
const SAMPLERS = /^thread (thread|.*ProfEvntProc)$/;

/**
 * Profiles one pair: as `measurePair`, with one alternating slice in place of all. Its times are no measurement.
 * @throws Problem if a server can't be profiled, or if there are errors under load.
 */
export async function profilePair(
  world: World,
  pair: PlannedPair,
  settings: WarmUpSettings,
): Promise<Both<Profile>> {
  await using servers = await startBoth(world, pair, KNOW_INLINED);
  await warmUp(world, pair.row.task, servers, settings);
  const profiles = {} as Both<Profile>;
  for (const side of sidesAt(0, pair.loadedFirst))
    profiles[side] = await profileOf(world, pair.row.task, servers[side]);
  return profiles;
}

/** One server under the whole load, while its JavaScript is sampled. */
async function profileOf(world: World, task: PlannedTask, started: Arm): Promise<Profile> {
  const { child, probe } = started.server;
  const processes = [...readTree(child.pid)];
  // Of a cluster one worker: what the others take is outside its JavaScript.
  const [pid = child.pid] = processes.toSorted(([, one], [, other]) => other.ns - one.ns)[0] ?? [];
  const load = async (seconds: number) => {
    const { loaded, faults } = await loadUntilResting(world, started, loadOf(task, seconds));
    const reasons = faults.map(({ what, detail }) => `${what} (${detail})`);
    if (faults.length > 0)
      throw new Problem(`Profiling failed: ${reasons.join('; ')}`, 'Fix what failed');
    // As costs are: the server worked for those that it had not answered, too.
    return { requests: loaded.requests + loaded.underWay, cpuNs: loaded.cpuNs ?? Number.NaN };
  };
  const unprofiled = readThreads(pid);
  const intervalUs = await probe.beginProfile(pid);
  const before = readThreads(pid);
  const { requests, cpuNs } = await load(PROFILE_SECONDS);
  const times = threadTimesBetween(before, readThreads(pid));
  const profile = (await probe.endProfile(pid)) as Profile | undefined;
  if (!profile?.nodes?.length)
    throw new Problem('The server gave no profile', 'explain needs Bun 1.4 or Node');
  const main = times.get(pid) ?? { name: '', ns: 1, waitedNs: 0 };
  const others = [...times].filter(([thread]) => thread !== pid);
  const kinds = Map.groupBy(others, ([thread, { name }]) => {
    const kind = `thread ${name.replace(/[\W\d]+$/, '')}`;
    // Older versions of Node call all their threads by one name. That of the sampler has come with it.
    return SAMPLERS.test(kind) || (name === main.name && !unprofiled.has(thread))
      ? 'sampler'
      : kind;
  });
  const { sampler: samplerNs = 0, ...threadNs } = Object.fromEntries(
    [...kinds].map(([kind, all]) => [kind, sum(all.map(([, { ns }]) => ns))]),
  );
  const kernel = await sampleKernel(pid, KERNEL_SECONDS, () => load(KERNEL_SECONDS));
  const used = {
    requests,
    cpuNs: cpuNs - samplerNs,
    ranShare: main.ns / (main.ns + main.waitedNs),
    threadNs,
    kernel,
  };
  const packages = packagesIn(profile, started.planned.cwd);
  return { ...profile, tracetax: { task: task.name, ...used, intervalUs, packages } };
}

/** Samples of what the kernel does for a process during `work`, by system call. Null if `perf` is missing, or fails. */
export async function sampleKernel(pid: number, seconds: number, work: () => Promise<unknown>) {
  if (!Bun.which('perf', { PATH: process.env.PATH ?? '' })) return null;
  const folder = temporaryFolder();
  const options = [
    '-e',
    'cpu-clock:k',
    '-F',
    FREQUENCY,
    '-g',
    '--kernel-callchains',
    '-p',
    `${pid}`,
  ];
  const command = ['perf', 'record', ...options, '--', 'sleep', `${seconds}`];
  await using child = new Child(command, { cwd: folder, folder });
  await work();
  if ((await child.exited).code !== 0) return null;
  return samplesIn(
    Bun.spawnSync(['perf', 'script', '-F', 'ip,sym'], { cwd: folder }).stdout.toString(),
  );
}

/** Counts the stacks that `perf script` prints, each from the inside out. Null if it may not know the kernel's names. */
export function samplesIn(script: string): Record<string, number> | null {
  if (!script.includes('_sys_')) return null;
  const stacks = script.split(/\n\s*\n/).filter((stack) => stack.trim() !== '');
  const groups = Map.groupBy(stacks, (stack) => {
    const [entry, call, other] = [...stack.matchAll(ENTRIES)].at(-1) ?? [];
    if (entry) return call ?? other ?? 'page faults';
    return /do_syscall|el0_svc/.test(stack) ? 'entry and exit of system calls' : 'interrupts';
  });
  return Object.fromEntries([...groups].map(([name, { length }]) => [name, length]));
}
