import { Child } from '../machine/child.ts';
import { temporaryFolder } from '../machine/watchdog.ts';

/** Samples in a second of CPU time. */
const FREQUENCY = '1999';

/** Where a stack entered the kernel: a system call, on x64 or ARM, or memory that was not there. */
const ENTRIES = /__(?:x64|arm64)_sys_(\w+)|ksys_(\w+)|page_fault/g;

/** Samples of what the kernel does for a process during `work`, by system call. Null if `perf` is missing, or fails. */
export async function sampleKernel(pid: number, seconds: number, work: () => Promise<unknown>) {
  if (!Bun.which('perf', { PATH: process.env.PATH ?? '' })) return null;
  const folder = temporaryFolder();
  const options = ['-e', 'cpu-clock:k', '-F', FREQUENCY, '-g', '--kernel-callchains', '-p', `${pid}`];
  const command = ['perf', 'record', ...options, '--', 'sleep', `${seconds}`];
  await using child = new Child(command, { cwd: folder, folder });
  await work();
  if ((await child.exited).code !== 0) return null;
  return samplesIn(Bun.spawnSync(['perf', 'script', '-F', 'ip,sym'], { cwd: folder }).stdout.toString());
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
