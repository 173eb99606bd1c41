import { sum } from 'simple-statistics';
import { namesIn, readText } from './read.ts';

/**
 * Threads that only compile: JavaScriptCore's in Bun. V8's workers in Node collect garbage as well, and so never rest.
 * JSCWarmUp runs by the clock, whether anything is left to compile or not.
 */
const COMPILER_THREADS = /^JITWorker/;

/** What each thread of a process used so far, by its number: CPU time, and how long it waited for a core. */
type ThreadTimes = Map<number, { name: string; ns: number; waitedNs: number }>;

/** Reads the threads' names and schedstat (kernel.org, scheduler/sched-stats) below /proc; none if nothing is there. */
export function readThreads(pid: number): ThreadTimes {
  const times: ThreadTimes = new Map();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    const [name, schedstat] = ['comm', 'schedstat'].map((file) => readText(`/proc/${pid}/task/${thread}/${file}`));
    const [ns, waitedNs] = (schedstat ?? '').split(' ').map(Number);
    // One that has ended meanwhile has none.
    if (name && ns && waitedNs !== undefined) times.set(Number(thread), { name: name.trim(), ns, waitedNs });
  }
  return times;
}

/** What each thread used between two readings. One that ended is left out. */
export function threadTimesBetween(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  const since: ThreadTimes = new Map();
  for (const [thread, { name, ns, waitedNs }] of after) {
    const start = before.get(thread);
    since.set(thread, { name, ns: ns - (start?.ns ?? 0), waitedNs: waitedNs - (start?.waitedNs ?? 0) });
  }
  return since;
}

/** CPU time of all compiler threads between two readings, in ns. */
export function compilerNsBetween(before: ThreadTimes, after: ThreadTimes): number {
  const compilers = [...threadTimesBetween(before, after).values()].filter(({ name }) => COMPILER_THREADS.test(name));
  return sum(compilers.map(({ ns }) => ns));
}
