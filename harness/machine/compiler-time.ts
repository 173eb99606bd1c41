import { namesIn, readText } from './read.ts';

/** Threads that compile: JavaScriptCore's in Bun, and V8's workers in Node, which collect garbage as well. */
const COMPILER_THREADS = /^(JITWorker|JSCWarmUp|V8Worker)/;

/** CPU time in ns of each compiler thread of a process so far, by thread. */
export type CompilerTime = Map<string, number>;

/**
 * Reads the compiler threads of a process; null if the system does not tell. Linux: the threads' names, and the first field
 * of their schedstat (kernel.org, scheduler/sched-stats).
 */
export function readCompiler(pid: number): CompilerTime | null {
  const threads = namesIn(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  if (threads.length === 0) return null;
  const times = new Map<string, number>();
  for (const thread of threads) {
    const schedstat = COMPILER_THREADS.test(readText(`${thread}/comm`) ?? '') && readText(`${thread}/schedstat`);
    if (schedstat) times.set(thread, Number(schedstat.split(' ')[0]));
  }
  return times;
}

/** CPU time in ns between two readings. A thread that ended is left out; null if either reading is missing. */
export function compilerNsBetween(before: CompilerTime | null, after: CompilerTime | null): number | null {
  if (!before || !after) return null;
  return [...after].reduce((sum, [thread, ns]) => sum + ns - (before.get(thread) ?? 0), 0);
}
