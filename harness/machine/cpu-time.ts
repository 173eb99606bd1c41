import { ptr, read } from 'bun:ffi';
import { sum } from 'simple-statistics';
import { libc, membersOf, NS_PER_TICK } from '../processes/processes.ts';
import { namesIn, readText } from '../words/files.ts';
import { type Pinning, parseCpuList } from './pinning.ts';

type GroupCpuTime = Map<number, { name: string; ns: number; endedChildrenNs: number }>;

/** CPU time in ns of a process tree; `lost` names processes whose time nobody knows. Neither without a clock. */
export type CpuUse = { ns?: number; lost?: string };

// Read through `read`: compiled code takes an array that only C writes to for unchanged.
const clockId = new Int32Array(1);
const timespec = new BigInt64Array(2);

/**
 * CPU time of a process so far in ns, user and system of all its threads: `clock_getcpuclockid` and `clock_gettime` of
 * POSIX, in 1.5 µs. Undefined if there is no such process, and off Linux, which alone tells it of any process.
 */
export function processNs(pid: number): number | undefined {
  const [clockIdAt, timespecAt] = [ptr(clockId), ptr(timespec)];
  if (libc?.clock_getcpuclockid(pid, clockIdAt) !== 0) return undefined;
  if (libc.clock_gettime(read.i32(clockIdAt), timespecAt) !== 0) return undefined;
  return Number(read.i64(timespecAt, 0)) * 1e9 + Number(read.i64(timespecAt, 8));
}

/** Whether that is told here at all. */
export const HAS_CPU_CLOCK = processNs(process.pid) !== undefined;

/** CPU time of all processes of a child at this moment, by process: its own, and that of its children which have ended. */
export function readGroup(child: number): GroupCpuTime {
  const group: GroupCpuTime = new Map();
  for (const { pid, name, endedChildrenNs } of membersOf(child)) {
    const ns = processNs(pid);
    // Else it ended just now, and its parent has its time.
    if (ns !== undefined) group.set(pid, { name, ns, endedChildrenNs });
  }
  return group;
}

/** The kernel counts the time of ended children in ticks of 10 ms, rounded down for each. */
const ROUNDING_NS = 2e7;

/**
 * CPU time in ns that the group used between two readings. A helper that ended in between is counted through its parent,
 * to 10 ms. If nobody waited for it, that time is lost: `lost` names who ended, such as `node (process 123)`.
 */
export function cpuTimeBetween(before: GroupCpuTime, after: GroupCpuTime): CpuUse {
  const ended = [...before].filter(([pid]) => !after.has(pid));
  const childrenNs = (group: GroupCpuTime) =>
    sum([...group.values()].map(({ endedChildrenNs }) => endedChildrenNs));
  const endedNs = childrenNs(after) - childrenNs(before) - sum(ended.map(([, { ns }]) => ns));
  if (endedNs < -ROUNDING_NS * ended.length)
    return { lost: ended.map(([pid, { name }]) => `${name} (process ${pid})`).join(', ') };
  return {
    ns:
      sum([...after].map(([pid, { ns }]) => ns - (before.get(pid)?.ns ?? 0))) +
      Math.max(0, endedNs),
  };
}

/** Returns what tells how much CPU time all processes of a child used since; without a clock, that tells nothing. */
export function watchGroup(child: number): () => CpuUse {
  const before = readGroup(child);
  return () => (HAS_CPU_CLOCK ? cpuTimeBetween(before, readGroup(child)) : {});
}

/**
 * Threads that only compile: JavaScriptCore's in Bun, and those of the JVM, whose names the kernel cuts off. V8's workers
 * in Node collect garbage as well, and so never rest. JSCWarmUp runs by the clock, whatever is left to compile.
 */
const COMPILER_THREADS = /^(JITWorker|C[12] CompilerThre)/;

/** What each thread of a process used so far, by its number: CPU time, and how long it waited for a core. */
type ThreadTimes = Map<number, { name: string; ns: number; waitedNs: number }>;

/** Reads the threads' names and schedstat (kernel.org, scheduler/sched-stats) below /proc; none if nothing is there. */
export function readThreads(pid: number): ThreadTimes {
  const times: ThreadTimes = new Map();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    const [name, schedstat] = ['comm', 'schedstat'].map((file) =>
      readText(`/proc/${pid}/task/${thread}/${file}`),
    );
    const [ns, waitedNs] = (schedstat ?? '').split(' ').map(Number);
    // One that has ended meanwhile has none.
    if (name && ns && waitedNs !== undefined)
      times.set(Number(thread), { name: name.trim(), ns, waitedNs });
  }
  return times;
}

/** Of all processes of a child. */
export function readAllThreads(child: number): ThreadTimes {
  return new Map(membersOf(child).flatMap(({ pid }) => [...readThreads(pid)]));
}

/** What each thread used between two readings. One that ended is left out. */
export function threadTimesBetween(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  const since: ThreadTimes = new Map();
  for (const [thread, { name, ns, waitedNs }] of after) {
    const start = before.get(thread);
    since.set(thread, {
      name,
      ns: ns - (start?.ns ?? 0),
      waitedNs: waitedNs - (start?.waitedNs ?? 0),
    });
  }
  return since;
}

/** CPU time of all compiler threads between two readings, in ns; null if there are none that do nothing else. */
export function compilerNsBetween(before: ThreadTimes, after: ThreadTimes): number | null {
  const compilers = [...threadTimesBetween(before, after).values()].filter(({ name }) =>
    COMPILER_THREADS.test(name),
  );
  return compilers.length > 0 ? sum(compilers.map(({ ns }) => ns)) : null;
}

type CoreTime = { busyNs: number; stealNs: number };

/**
 * Returns what tells how much of the cores was used since; null if nothing is pinned, or if /proc/stat has no such cores, as
 * in LXC.
 */
export function watchCores(pinning: Pinning | undefined) {
  const startedAt = performance.now();
  const before = readText('/proc/stat') ?? '';
  return () => {
    const after = readText('/proc/stat') ?? '';
    const used = (cores = ''): CoreTime => {
      const [then, now] = [timeOf(before, cores), timeOf(after, cores)];
      return { busyNs: now.busyNs - then.busyNs, stealNs: now.stealNs - then.stealNs };
    };
    const [server, tool] = [used(pinning?.serverCore), used(pinning?.toolCores)];
    const isKnown = pinning && Number.isFinite(server.busyNs + tool.busyNs);
    return isKnown ? { wallNs: (performance.now() - startedAt) * 1e6, server, tool } : null;
  };
}

/** Of the cores in the list: user, nice, system, irq and softirq time, and steal (proc_stat(5)). Not a number for unknown ones. */
export function timeOf(stat: string, cores: string): CoreTime {
  const time = { busyNs: 0, stealNs: 0 };
  for (const core of parseCpuList(cores)) {
    const fields =
      new RegExp(`^cpu${core} (.*)$`, 'm').exec(stat)?.[1]?.split(' ').map(Number) ?? [];
    const [user = Number.NaN, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
    time.busyNs += (user + nice + system + irq + softirq) * NS_PER_TICK;
    time.stealNs += steal * NS_PER_TICK;
  }
  return time;
}
