import { readdirSync, readFileSync } from 'node:fs';

/** Threads that compile: JavaScriptCore's in Bun, and V8's workers in Node, which collect garbage as well. */
const COMPILER_THREADS = /^(JITWorker|JSCWarmUp|V8Worker)/;

/** A thread's CPU time, and how long it waited for a core. */
export interface ThreadTime {
  name: string;
  ns: number;
  waitedNs: number;
}

/** What each thread of a process used so far, by thread. */
export type ThreadTimes = Map<string, ThreadTime>;

/**
 * Reads the threads of a process; null if the system does not tell. Linux: the threads' names, and the first two fields of
 * their schedstat (kernel.org, scheduler/sched-stats).
 */
export function readThreads(pid: number): ThreadTimes | null {
  try {
    const folders = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
    return new Map(folders.flatMap(threadTime));
  } catch {
    return null;
  }
}

/** What each thread used between two readings. One that ended is left out; null if either reading is missing. */
export function threadTimesBetween(before: ThreadTimes | null, after: ThreadTimes | null): ThreadTimes | null {
  if (!before || !after) return null;
  const none = { ns: 0, waitedNs: 0 };
  const since = ([thread, { name, ns, waitedNs }]: [string, ThreadTime]): [string, ThreadTime] => {
    const start = before.get(thread) ?? none;
    return [thread, { name, ns: ns - start.ns, waitedNs: waitedNs - start.waitedNs }];
  };
  return new Map([...after].map(since));
}

/** CPU time of all compiler threads between two readings, in ns. */
export function compilerNsBetween(before: ThreadTimes | null, after: ThreadTimes | null): number | null {
  const times = threadTimesBetween(before, after);
  return times && [...times.values()].reduce((sum, { name, ns }) => sum + (COMPILER_THREADS.test(name) ? ns : 0), 0);
}

function threadTime(folder: string): [thread: string, time: ThreadTime][] {
  try {
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    const [ns, waitedNs] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ').map(Number);
    return [[folder, { name, ns: ns ?? Number.NaN, waitedNs: waitedNs ?? Number.NaN }]];
  } catch {
    // The thread has ended meanwhile.
    return [];
  }
}
