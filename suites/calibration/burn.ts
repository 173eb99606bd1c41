import { dlopen, ptr } from 'bun:ffi';

/** CLOCK_THREAD_CPUTIME_ID of Linux's time.h: CPU time of the calling thread. */
const THREAD_CPU_TIME = 3;

/** Readings between which the cost of one is found. */
const READINGS = 100_000;

const { symbols } = dlopen('libc.so.6', { clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } });
// Two 64-bit numbers, read as 32-bit halves: bigints would leave garbage to be collected after the burnt time.
const time = new Int32Array(4);
const timePointer = ptr(time);

/** CPU time of this thread in ns; its low 32 bits of seconds do for centuries. */
function threadCpuNs(): number {
  symbols.clock_gettime(THREAD_CPU_TIME, timePointer);
  return (time[0] as number) * 1e9 + (time[2] as number);
}

/**
 * A function that burns this much CPU time of the calling thread, in the mean over many calls: what one call burns too
 * much, since a reading takes time, the next burns less.
 */
export function createBurner(us: number): () => void {
  if (us === 0) return () => {};
  const readingNs = readingCostNs();
  let debtNs = 0;
  return () => {
    // The first reading and the last each lie half outside of what they measure.
    const endNs = threadCpuNs() + us * 1_000 - readingNs - debtNs;
    let nowNs = threadCpuNs();
    while (nowNs < endNs) nowNs = threadCpuNs();
    debtNs = nowNs - endNs;
  };
}

function readingCostNs(): number {
  // Twice, because the first time the function is not compiled yet.
  let costNs = 0;
  for (let pass = 0; pass < 2; pass++) {
    const startNs = threadCpuNs();
    for (let index = 1; index < READINGS; index++) threadCpuNs();
    costNs = (threadCpuNs() - startNs) / READINGS;
  }
  return costNs;
}
