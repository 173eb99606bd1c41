import { dlopen, ptr, read } from 'bun:ffi';

/** CLOCK_THREAD_CPUTIME_ID of Linux's time.h: CPU time of the calling thread. */
const THREAD_CPU_TIME = 3;

/** Calls from which the cost of the burning itself is found, twice, because at first it is not compiled yet. */
const TRIALS = 5_000;

const { symbols } = dlopen('libc.so.6', { clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } });
// A timespec: two 64-bit numbers. Read through `read`, because once compiled a read of the array itself is taken to
// give what it gave before; and as 32-bit halves, because bigints would leave garbage to be collected.
const timespec = new Int32Array(4);

/** CPU time of this thread in ns; its low 32 bits of seconds do for centuries. */
function threadCpuNs(): number {
  const at = ptr(timespec);
  symbols.clock_gettime(THREAD_CPU_TIME, at);
  return read.i32(at, 0) * 1e9 + read.i32(at, 8);
}

/**
 * A function that burns this much CPU time of the calling thread, in the mean over many calls: what one call burns too
 * much, the next burns less. It computes, and reads the clock only before and after: a loop of readings, each a system
 * call, leaves the caches and branch predictor so cold that the request itself got 2 to 4 µs slower.
 */
export function createBurner(us: number): () => void {
  if (us === 0) return () => {};
  let overheadNs = 0;
  let debtNs = 0;
  let nsPerTurn = 1;
  const burn = () => {
    const wantedNs = us * 1_000 - overheadNs - debtNs;
    const turns = Math.max(1, Math.round(wantedNs / nsPerTurn));
    const startNs = threadCpuNs();
    spin(turns);
    const burntNs = threadCpuNs() - startNs;
    debtNs = burntNs - wantedNs;
    nsPerTurn += (burntNs / turns - nsPerTurn) / 64;
  };
  // What a call costs outside of its first and its last reading.
  for (let pass = 0; pass < 2; pass++) overheadNs += meanCostNs(burn) - us * 1_000;
  return burn;
}

let state = 1;

/** Computes something, xorshift32, that takes time in proportion to the turns. */
function spin(turns: number): void {
  let value = state;
  for (let turn = 0; turn < turns; turn++) {
    value ^= value << 13;
    value ^= value >>> 17;
    value ^= value << 5;
  }
  state = value;
}

function meanCostNs(work: () => void): number {
  const startNs = threadCpuNs();
  for (let index = 0; index < TRIALS; index++) work();
  return (threadCpuNs() - startNs) / TRIALS;
}
