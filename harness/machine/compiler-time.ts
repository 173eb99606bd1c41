import { readdirSync, readFileSync } from 'node:fs';

/** Threads that compile: JavaScriptCore's in Bun, and V8's workers in Node, which collect garbage as well. */
const COMPILER_THREADS = /^(JITWorker|JSCWarmUp|V8Worker)/;

/** CPU time in ns of each compiler thread of a process so far, by thread. */
export type CompilerTime = Map<string, number>;

/**
 * Reads the compiler threads of a process; null if the system does not tell. Linux: the threads' names, and the first field
 * of their schedstat (kernel.org, scheduler/sched-stats).
 */
export function readCompiler(pid: number): CompilerTime | null {
  try {
    const folders = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
    return new Map(folders.flatMap(threadTime));
  } catch {
    return null;
  }
}

/** CPU time in ns between two readings. A thread that ended is left out; null if either reading is missing. */
export function compilerNsBetween(before: CompilerTime | null, after: CompilerTime | null): number | null {
  if (!before || !after) return null;
  return [...after].reduce((sum, [thread, ns]) => sum + ns - (before.get(thread) ?? 0), 0);
}

function threadTime(folder: string): [thread: string, ns: number][] {
  try {
    if (!COMPILER_THREADS.test(readFileSync(`${folder}/comm`, 'utf8'))) return [];
    return [[folder, Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0])]];
  } catch {
    // The thread has ended meanwhile.
    return [];
  }
}
