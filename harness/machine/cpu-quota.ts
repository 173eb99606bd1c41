import { join } from 'node:path';
import { readText } from '../words/files.ts';
import { groupFoldersOfAll, readCounts } from './control-groups.ts';

/** The quota of a control group, and how often the kernel stopped the group for it. */
export interface Throttling {
  /** How many cores' time it may use in each period. */
  quotaCores: number;
  /** Periods in which something of it ran. */
  periods: number;
  /** Periods in which it had used up its quota, and was stopped until the next. */
  stoppedPeriods: number;
  /** How long it was stopped, added up over the cores on which something of it was to run. */
  stoppedNs: number;
}

/**
 * Returns how many cores' time this process, and what it starts, may use: by the smallest quota of
 * its control group and of those around it. Infinity without a quota.
 * @param root the folder in which /proc and /sys are looked for
 */
export function quotaCores(root = '/'): number {
  const folders = groupFoldersOfAll('cpu', ['self'], root);
  return Math.min(...folders.map(quotaOf), Number.POSITIVE_INFINITY);
}

/**
 * Returns what reads how often quotas stopped these processes since this call: it reads the quota
 * of all their groups that stopped them longest. Null if no group has a quota.
 */
export function watchThrottling(
  pids: readonly (number | 'self')[],
  root = '/',
): () => Throttling | null {
  const limited = groupFoldersOfAll('cpu', pids, root).filter((folder) =>
    Number.isFinite(quotaOf(folder)),
  );
  const before = limited.map(throttlingOf);
  return () => {
    const since = limited.map((folder, index) => between(before[index], throttlingOf(folder)));
    // A longer stop is that of the tighter quota; without any, the smallest quota is told.
    const [tightest] = since.toSorted(
      (one, other) => other.stoppedNs - one.stoppedNs || one.quotaCores - other.quotaCores,
    );
    return tightest ?? null;
  };
}

/** Kernel.org, cgroup-v2, `cpu.max`; of version 1 `cpu.cfs_quota_us`. Infinity without a quota. */
function quotaOf(folder: string): number {
  const read = (name: string) => readText(join(folder, name));
  const limit = read('cpu.max') ?? `${read('cpu.cfs_quota_us')} ${read('cpu.cfs_period_us')}`;
  const [quota = 0, period = 0] = limit.trim().split(/\s+/).map(Number);
  return quota > 0 && period > 0 ? quota / period : Number.POSITIVE_INFINITY;
}

/** What was counted so far: times are in ns in version 1, and in µs in version 2. */
function throttlingOf(folder: string): Throttling {
  const counts = readCounts(join(folder, 'cpu.stat'));
  return {
    quotaCores: quotaOf(folder),
    periods: counts.nr_periods ?? 0,
    stoppedPeriods: counts.nr_throttled ?? 0,
    stoppedNs: counts.throttled_time ?? (counts.throttled_usec ?? 0) * 1e3,
  };
}

function between(before: Throttling | undefined, after: Throttling): Throttling {
  return {
    quotaCores: after.quotaCores,
    periods: after.periods - (before?.periods ?? 0),
    stoppedPeriods: after.stoppedPeriods - (before?.stoppedPeriods ?? 0),
    stoppedNs: after.stoppedNs - (before?.stoppedNs ?? 0),
  };
}
