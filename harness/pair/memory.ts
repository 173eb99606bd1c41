import { sum } from 'simple-statistics';
import { membersOf } from '../machine/processes.ts';
import { readText } from '../machine/read.ts';
import type { Usage } from '../result/schema.ts';

/**
 * Memory of all processes of a child, in bytes; null if one of them does not tell. Pages that several share count once: the
 * proportional set size of each (kernel.org, filesystems/proc, smaps_rollup).
 */
export function memoryBytes(child: number): number | null {
  const running = membersOf(child).filter(({ hasEnded }) => !hasEnded);
  const sizes = running.map(({ pid }) => {
    const kibibytes = /^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
    return Number(kibibytes ?? Number.NaN) * 1024;
  });
  const bytes = sum(sizes);
  return bytes > 0 ? bytes : null;
}

/**
 * User and system time in µs of all processes of a child, those that ended among them, since an earlier reading; in steps
 * of 10 ms. Null if nothing tells.
 */
export function cpuTimesUs(child: number, before: Usage['cpuUs'] = null): Usage['cpuUs'] {
  const members = membersOf(child);
  if (members.length === 0) return null;
  const used = (of: 'userNs' | 'systemNs') => sum(members.map((member) => member[of])) / 1e3;
  return { user: used('userNs') - (before?.user ?? 0), system: used('systemNs') - (before?.system ?? 0) };
}
