import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';

/** Samples in a second of CPU time. */
const FREQUENCY = '1999';

/** Where a stack entered the kernel: a system call, on x64 or ARM, or memory that was not there. */
const ENTRIES = /__(?:x64|arm64)_sys_(\w+)|ksys_(\w+)|page_fault/g;

/**
 * Returns samples of what the kernel does for a process during `work`, by system call. Null if
 * `perf` is missing, or fails.
 */
export async function sampleKernel(
  pid: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<Record<string, number> | null> {
  if (!Bun.which('perf', { PATH: process.env.PATH ?? '' })) return null;
  const folder = temporaryFolder();
  await using perf = new Child(recordCommand(pid, seconds), { cwd: folder, folder });
  await work();
  if ((await perf.exited).code !== 0) return null;
  const script = Bun.spawnSync(['perf', 'script', '-F', 'ip,sym'], { cwd: folder });
  return samplesIn(script.stdout.toString());
}

function recordCommand(pid: number, seconds: number): string[] {
  return [
    'perf',
    'record',
    '-e',
    'cpu-clock:k',
    '-F',
    FREQUENCY,
    '-g',
    '--kernel-callchains',
    '-p',
    String(pid),
    '--',
    'sleep',
    String(seconds),
  ];
}

/**
 * Counts the stacks that `perf script` prints, each from the inside out, by system call. Null if
 * perf may not know the kernel's names.
 */
export function samplesIn(script: string): Record<string, number> | null {
  if (!script.includes('_sys_')) return null;
  const counts: Record<string, number> = {};
  for (const stack of script.split(/\n\s*\n/)) {
    if (stack.trim() === '') continue;
    const entry = entryOf(stack);
    counts[entry] = (counts[entry] ?? 0) + 1;
  }
  return counts;
}

/** Returns how a stack entered the kernel. */
function entryOf(stack: string): string {
  const [entry, systemCall, otherCall] = [...stack.matchAll(ENTRIES)].at(-1) ?? [];
  if (entry) return systemCall ?? otherCall ?? 'page faults';
  return /do_syscall|el0_svc/.test(stack) ? 'entry and exit of system calls' : 'interrupts';
}
