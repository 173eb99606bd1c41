import { totalmem } from 'node:os';
import { join } from 'node:path';
import { sum } from 'simple-statistics';
import { readText } from '../words/files.ts';
import { groupFoldersOfAll, readCounts } from './control-groups.ts';

/** How much memory a control group may use, and what it takes. */
export interface LimitedMemory {
  limitBytes: number;
  /** What can't be given back: without files, which the kernel reads again when it needs them. */
  takenBytes: number;
}

/** Processes by their number. */
type Pids = readonly (number | 'self')[];

/**
 * Returns the smallest memory limit of these processes' control groups and of those around them;
 * null if none is below what the machine has.
 * @param root the folder in which /proc and /sys are looked for
 */
export function memoryLimitBytes(
  pids: Pids = ['self'],
  root = '/',
  machineBytes = totalmem(),
): number | null {
  const limits = groupFoldersOfAll('memory', pids, root).map(limitOf);
  const least = Math.min(...limits, machineBytes);
  return least < machineBytes ? least : null;
}

/** Returns the limited group that is nearest to its limit; null without a limit. */
export function limitedMemory(
  pids: Pids,
  root = '/',
  machineBytes = totalmem(),
): LimitedMemory | null {
  const limited = groupFoldersOfAll('memory', pids, root)
    .map((folder) => ({ limitBytes: limitOf(folder), takenBytes: takenOf(folder) }))
    .filter(({ limitBytes }) => limitBytes < machineBytes);
  const [nearest] = limited.toSorted((one, other) => filled(other) - filled(one));
  return nearest ?? null;
}

/** Returns the part of its limit that a group takes. */
function filled({ takenBytes, limitBytes }: LimitedMemory): number {
  return takenBytes / limitBytes;
}

/** Returns what tells whether the kernel killed one of these processes for lack of memory since. */
export function watchOutOfMemory(pids: Pids, root = '/'): () => boolean {
  const folders = groupFoldersOfAll('memory', pids, root);
  const before = killsIn(folders);
  return () => killsIn(folders) > before;
}

/** Kernel.org, cgroup-v2, `memory.max`; of version 1 `memory.limit_in_bytes`. */
function limitOf(folder: string): number {
  const limit = read(folder, 'memory.max') ?? read(folder, 'memory.limit_in_bytes');
  // "max" is no number.
  return Number(limit?.trim() || Number.NaN) || Number.POSITIVE_INFINITY;
}

/** Version 1 counts the groups within under names of their own. */
function takenOf(folder: string): number {
  const { anon, total_rss: rss } = readCounts(join(folder, 'memory.stat'));
  return anon ?? rss ?? 0;
}

function killsIn(folders: readonly string[]): number {
  const counts = folders.flatMap((folder) => [
    readCounts(join(folder, 'memory.events')).oom_kill,
    readCounts(join(folder, 'memory.oom_control')).oom_kill,
  ]);
  return sum(counts.map((count) => count ?? 0));
}

function read(folder: string, name: string): string | undefined {
  return readText(join(folder, name));
}
