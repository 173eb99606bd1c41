import { dlopen, ptr, read } from 'bun:ffi';
import { existsSync, readFileSync } from 'node:fs';
import { Problem } from '../problem.ts';

/** Reads how much CPU time (user and system, all threads) a process has used so far. */
export interface CpuClock {
  /** How it is read and how fine it is, for the result. */
  name: string;
  /** CPU time of the process in ns. @throws Error where there is no such process. */
  readNs(pid: number): number;
}

/** CPU time in ns of all these processes; what has ended counts for nothing. */
export function totalCpuNs(clock: CpuClock, pids: number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      return sum + clock.readNs(pid);
    } catch {
      return sum;
    }
  }, 0);
}

/**
 * The finest clock of this machine that works, tried on the harness itself.
 * @throws Problem where there is none.
 */
export function openCpuClock(clocks: (() => CpuClock)[] = [posixClock, procClock, psClock]): CpuClock {
  for (const open of clocks) {
    try {
      const clock = open();
      if (clock.readNs(process.pid) > 0) return clock;
    } catch {
      // Not on this system: the next one.
    }
  }
  throw new Problem(
    'No clock of this system tells the CPU time of another process',
    'Use --no-duet: the change in ms needs no such clock',
  );
}

/** `clock_getcpuclockid` and `clock_gettime` of POSIX: ns, and 1.5 µs a read. Linux alone has it for other processes. */
function posixClock(): CpuClock {
  const { symbols } = dlopen('libc.so.6', {
    clock_getcpuclockid: { args: ['i32', 'ptr'], returns: 'i32' },
    clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
  });
  // What is written there is read through `read`: once compiled, a read of the array itself is taken to give what it
  // gave before.
  const clockId = new Int32Array(1);
  const timespec = new BigInt64Array(2);
  return {
    name: 'process CPU clock (clock_getcpuclockid), ns',
    readNs(pid) {
      const clockIdAt = ptr(clockId);
      const timespecAt = ptr(timespec);
      if (symbols.clock_getcpuclockid(pid, clockIdAt) !== 0)
        throw new Error(`no CPU clock of process ${pid}`);
      if (symbols.clock_gettime(read.i32(clockIdAt), timespecAt) !== 0)
        throw new Error(`process ${pid} is gone`);
      return Number(read.i64(timespecAt, 0)) * 1e9 + Number(read.i64(timespecAt, 8));
    },
  };
}

/** USER_HZ, in which the kernel counts for user space on every platform that Bun runs on. */
const TICKS_PER_SECOND = 100;

function procClock(): CpuClock {
  if (!existsSync('/proc/self/stat')) throw new Error('no /proc');
  return {
    name: '/proc/<pid>/stat, 10 ms',
    readNs(pid) {
      // The second field, the name, may hold spaces; utime and stime are fields 14 and 15 (proc(5)).
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1e9) / TICKS_PER_SECOND;
    },
  };
}

function psClock(): CpuClock {
  return {
    name: 'ps -o time, 10 ms',
    readNs: (pid) =>
      parsePsTime(
        Bun.spawnSync(['ps', '-o', 'time=', '-p', String(pid)])
          .stdout.toString()
          .trim(),
      ),
  };
}

/** `[[days-]hours:]minutes:seconds[.hundredths]` as ps prints it, in ns. @throws Error for anything else. */
export function parsePsTime(text: string): number {
  const match = /^(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)$/.exec(text);
  if (!match) throw new Error(`not a time of ps: ${text}`);
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1e9;
}
