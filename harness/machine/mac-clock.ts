import { dlopen, type Pointer, ptr, read } from 'bun:ffi';

/** RUSAGE_INFO_V0 of macOS's sys/resource.h: its size in bytes, and where in it user and system time are. */
const RUSAGE_V0 = 0;
const RUSAGE_BYTES = 96;
const [USER_AT, SYSTEM_AT] = [16, 24];

/** `proc_pid_rusage` of libproc, the clock of a Mac. Not tried: the project has none. */
export function macClock() {
  const { symbols } = dlopen('/usr/lib/libSystem.B.dylib', {
    proc_pid_rusage: { args: ['i32', 'i32', 'ptr'], returns: 'i32' },
    mach_timebase_info: { args: ['ptr'], returns: 'i32' },
  });
  const timebase = new Uint32Array(2);
  symbols.mach_timebase_info(ptr(timebase));
  const rusage = new Uint8Array(RUSAGE_BYTES);
  return {
    name: 'proc_pid_rusage, ns',
    readNs(pid: number) {
      const at = ptr(rusage);
      if (symbols.proc_pid_rusage(pid, RUSAGE_V0, at) !== 0) throw new Error(`process ${pid} is gone`);
      return rusageNs(at, ptr(timebase));
    },
  };
}

/**
 * CPU time in ns, user and system, from a filled rusage_info_v0. It counts in ticks of Mach's clock, which `timebase` turns
 * into ns by its two 32-bit numbers, numerator and denominator: 1/1 on Intel, 125/3 on Apple's own processors.
 */
export function rusageNs(rusage: Pointer, timebase: Pointer): number {
  const ticks = Number(read.u64(rusage, USER_AT)) + Number(read.u64(rusage, SYSTEM_AT));
  return (ticks * read.u32(timebase, 0)) / read.u32(timebase, 4);
}
