import { sum } from 'simple-statistics';
import type { CpuTimes } from '../result/schema.ts';
import { readText } from '../words/files.ts';
import { membersOf } from './processes.ts';

const BYTES_PER_KIB = 1024;
const NS_PER_US = 1e3;

/**
 * Returns the memory of all processes of a child, in bytes; null if one of them does not tell.
 * Pages that several share count once: it is the sum of proportional set sizes (kernel.org,
 * filesystems/proc, smaps_rollup).
 */
export function memoryBytes(child: number): number | null {
  const running = membersOf(child).filter(({ hasEnded }) => !hasEnded);
  const bytes = sum(running.map(({ pid }) => proportionalSetKib(pid))) * BYTES_PER_KIB;
  return bytes > 0 ? bytes : null;
}

/** Not a number if the process does not tell. */
function proportionalSetKib(pid: number): number {
  const rollup = readText(`/proc/${pid}/smaps_rollup`) ?? '';
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]);
}

/**
 * Returns user and system time in µs of all processes of a child since an earlier reading, those
 * that ended among them; in steps of 10 ms. Null if nothing tells.
 */
export function cpuTimesUs(child: number, before: CpuTimes | null = null): CpuTimes | null {
  const members = membersOf(child);
  if (members.length === 0) return null;
  const userUs = sum(members.map(({ userNs }) => userNs)) / NS_PER_US;
  const systemUs = sum(members.map(({ systemNs }) => systemNs)) / NS_PER_US;
  return {
    user: userUs - (before?.user ?? 0),
    system: systemUs - (before?.system ?? 0),
  };
}
