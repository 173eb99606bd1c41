import { dlopen, ptr, read } from 'bun:ffi';
import { sum } from 'simple-statistics';
import { membersOf } from './processes.ts';
import { ifThere } from './read.ts';

/** Reads how much CPU time (user and system, all threads) a process has used so far. */
export interface CpuClock {
  /** How it is read and how fine it is, for the result. */
  name: string;
  /** CPU time of the process in ns. @throws Error if there is no such process. */
  readNs(pid: number): number;
}

type GroupCpuTime = ReturnType<typeof readGroup>;

/** CPU time of all processes of a child at this moment: by process, and of those that ended before. */
export function readGroup(clock: CpuClock, child: number) {
  const time = { ns: new Map<number, number>(), names: new Map<number, string>(), endedChildrenNs: 0 };
  for (const { pid, name, endedChildrenNs } of membersOf(child)) {
    const ns = ifThere(() => clock.readNs(pid));
    // Else it ended just now, and its parent has its time.
    if (ns === undefined) continue;
    time.ns.set(pid, ns);
    time.names.set(pid, name);
    time.endedChildrenNs += endedChildrenNs;
  }
  return time;
}

/** The kernel counts the time of ended children in ticks of 10 ms, rounded down for each. */
const ROUNDING_NS = 2e7;

/**
 * CPU time in ns that the group used between two readings. A helper that ended in between is counted through its parent,
 * to 10 ms. Undefined if its time is lost, because nobody waited for it.
 */
export function cpuTimeBetween(before: GroupCpuTime, after: GroupCpuTime): number | undefined {
  const total = sum([...after.ns].map(([pid, ns]) => ns - (before.ns.get(pid) ?? 0)));
  const ended = [...before.ns].filter(([pid]) => !after.ns.has(pid));
  const endedNs = after.endedChildrenNs - before.endedChildrenNs - sum(ended.map(([, ns]) => ns));
  if (endedNs < -ROUNDING_NS * ended.length) return undefined;
  return total + Math.max(0, endedNs);
}

/** Those that ended between two readings: `node (process 123)`. */
export function endedBetween(before: GroupCpuTime, after: GroupCpuTime): string[] {
  const ended = [...before.names].filter(([pid]) => !after.ns.has(pid));
  return ended.map(([pid, name]) => `${name} (process ${pid})`);
}

/** The clock of this system, tried on the harness itself; undefined if it has none. */
export function openCpuClock(): CpuClock | undefined {
  const clock = ifThere(posixClock);
  return ifThere(() => clock?.readNs(process.pid)) === undefined ? undefined : clock;
}

/** `clock_getcpuclockid` and `clock_gettime` of POSIX: ns, and 1.5 µs a read. Linux alone has it for other processes. */
function posixClock(): CpuClock {
  const { symbols } = dlopen('libc.so.6', {
    clock_getcpuclockid: { args: ['i32', 'ptr'], returns: 'i32' },
    clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
  });
  // Read through `read`: compiled code takes an array that only C writes to for unchanged.
  const clockId = new Int32Array(1);
  const timespec = new BigInt64Array(2);
  return {
    name: 'process CPU clock (clock_getcpuclockid), ns',
    readNs(pid) {
      const clockIdAt = ptr(clockId);
      const timespecAt = ptr(timespec);
      if (symbols.clock_getcpuclockid(pid, clockIdAt) !== 0) throw new Error(`no CPU clock of process ${pid}`);
      if (symbols.clock_gettime(read.i32(clockIdAt), timespecAt) !== 0) throw new Error(`process ${pid} is gone`);
      return Number(read.i64(timespecAt, 0)) * 1e9 + Number(read.i64(timespecAt, 8));
    },
  };
}
