import { ptr, read } from 'bun:ffi';
import { sum } from 'simple-statistics';
import { libc, membersOf } from '../processes/processes.ts';

/** CPU time of every process of a child at one moment, by process number. */
type TreeReading = Map<number, ProcessReading>;

interface ProcessReading {
  name: string;
  /** CPU time of its own. */
  ns: number;
  /** CPU time of its children that ended, and for which it waited. */
  endedChildrenNs: number;
}

/** The CPU time that a process tree used. Neither field is there without a clock. */
export interface CpuUse {
  ns?: number;
  /** Names processes whose time nobody knows, such as `node (process 123)`. */
  lost?: string;
}

// They are read through `read`: compiled code takes an array that only C writes to for unchanged.
const clockId = new Int32Array(1);
const timespec = new BigInt64Array(2);

/**
 * Returns the CPU time of a process so far in ns, user and system of all its threads:
 * `clock_getcpuclockid` and `clock_gettime` of POSIX, which take 1.5 µs. Undefined if there is no
 * such process, and off Linux, which alone tells it of any process.
 */
export function processNs(pid: number): number | undefined {
  const clockIdAt = ptr(clockId);
  const timespecAt = ptr(timespec);
  if (libc?.clock_getcpuclockid(pid, clockIdAt) !== 0) return undefined;
  if (libc.clock_gettime(read.i32(clockIdAt), timespecAt) !== 0) return undefined;
  return Number(read.i64(timespecAt, 0)) * 1e9 + Number(read.i64(timespecAt, 8));
}

/** Whether this system tells the CPU time of other processes. */
export const HAS_CPU_CLOCK = processNs(process.pid) !== undefined;

/** Reads the CPU time of all processes of a child. */
export function readTree(child: number): TreeReading {
  const reading: TreeReading = new Map();
  for (const { pid, name, endedChildrenNs } of membersOf(child)) {
    const ns = processNs(pid);
    // A process without a clock ended just now, and its parent has its time.
    if (ns !== undefined) reading.set(pid, { name, ns, endedChildrenNs });
  }
  return reading;
}

/** The kernel counts the time of ended children in ticks of 10 ms, rounded down for each. */
const ROUNDING_NS = 2e7;

/**
 * Returns the CPU time that a tree used between two readings. A helper process that ended in
 * between is counted through its parent, to 10 ms. If nobody waited for it, that time is lost.
 */
export function cpuBetween(before: TreeReading, after: TreeReading): CpuUse {
  const ended = [...before].filter(([pid]) => !after.has(pid));
  const knownNs = sum(ended.map(([, { ns }]) => ns));
  const endedNs = endedChildrenNs(after) - endedChildrenNs(before) - knownNs;
  if (endedNs < -ROUNDING_NS * ended.length) {
    const names = ended.map(([pid, { name }]) => `${name} (process ${pid})`);
    return { lost: names.join(', ') };
  }
  const runningNs = sum([...after].map(([pid, { ns }]) => ns - (before.get(pid)?.ns ?? 0)));
  return { ns: runningNs + Math.max(0, endedNs) };
}

function endedChildrenNs(reading: TreeReading): number {
  return sum([...reading.values()].map((each) => each.endedChildrenNs));
}

/** Returns what reads the CPU time that all processes of a child used since this call. */
export function watchCpu(child: number): () => CpuUse {
  const before = readTree(child);
  return () => (HAS_CPU_CLOCK ? cpuBetween(before, readTree(child)) : {});
}
