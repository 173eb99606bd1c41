import { sum } from 'simple-statistics';
import { membersOf } from '../processes/processes.ts';
import { namesIn, readText } from '../words/files.ts';

/**
 * Threads that only compile: JavaScriptCore's in Bun, and those of the JVM, whose names the kernel
 * cuts off. V8's workers in Node collect garbage as well, and so never rest. JSCWarmUp runs by the
 * clock, whatever is left to compile.
 */
const COMPILER_THREADS = /^(JITWorker|C[12] CompilerThre)/;

/** What a thread used. */
export interface ThreadTime {
  name: string;
  /** How much CPU time it took. */
  ns: number;
  /** How long it waited for a core. */
  waitedNs: number;
}

/** The key is the number of the thread. */
export type ThreadTimes = Map<number, ThreadTime>;

/**
 * Reads what each thread of a process used so far, from its name and its schedstat below /proc
 * (kernel.org, scheduler/sched-stats). Empty if nothing is there.
 */
export function readThreads(pid: number): ThreadTimes {
  const times: ThreadTimes = new Map();
  for (const thread of namesIn(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const name = readText(`${folder}/comm`)?.trim();
    const [ns, waitedNs] = (readText(`${folder}/schedstat`) ?? '').split(' ').map(Number);
    // A thread that has ended meanwhile has no times.
    if (name && ns && waitedNs !== undefined) times.set(Number(thread), { name, ns, waitedNs });
  }
  return times;
}

/** Reads the threads of all processes of a child. */
export function readAllThreads(child: number): ThreadTimes {
  return new Map(membersOf(child).flatMap(({ pid }) => [...readThreads(pid)]));
}

/** Returns what each thread used between two readings. One that ended is left out. */
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

/**
 * Returns the CPU time of all compiler threads between two readings, in ns; null if no thread only
 * compiles.
 */
export function compilerNsBetween(before: ThreadTimes, after: ThreadTimes): number | null {
  const threads = [...threadTimesBetween(before, after).values()];
  const compilers = threads.filter(({ name }) => COMPILER_THREADS.test(name));
  return compilers.length > 0 ? sum(compilers.map(({ ns }) => ns)) : null;
}
