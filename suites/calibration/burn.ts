import { cc } from 'bun:ffi';

/**
 * The clock is read in one call of so many: a reading is a system call, which disturbs what it
 * times.
 */
const TIMED_EVERY = 64;
/** Every other timed call burns this many times as much. */
const LONG = 3;

// Machine code that never changes. A loop in JavaScript is compiled anew now and then, for timed
// and other calls apart.
const { symbols } = cc({
  source: `${import.meta.dir}/burn.c`,
  symbols: { thread_cpu_ns: { returns: 'f64' }, spin: { args: ['i32'] } },
});

/** CPU time of this thread in ns. */
const threadCpuNs: () => number = symbols.thread_cpu_ns;

/** A cost that knows itself. */
export interface KnownCost {
  spend(): void;
  /** Mean µs of CPU time that a call took since the last reset. */
  meanUs(): number;
  reset(): void;
}

/**
 * Tells the probe, which asks before and after a measurement, what all of these cost together:
 * docs/reference.md.
 */
export function tellTrueCost(costs: KnownCost[]): void {
  const trueCost = {
    reset() {
      for (const cost of costs) cost.reset();
    },
    meanUs: () => costs.reduce((sum, cost) => sum + cost.meanUs(), 0),
  };
  Object.assign(globalThis, { [Symbol.for('tracetax.trueCost')]: trueCost });
}

/**
 * A burner of about so many µs a call: a fixed number of turns of a computation, `spin`. What a
 * turn takes in place is the difference of long and short timed calls, from which the cost of
 * reading the clock is gone.
 */
export function createBurner(us: number, spin: (turns: number) => void = symbols.spin): KnownCost {
  if (us === 0) return { spend() {}, meanUs: () => 0, reset() {} };
  const turns = Math.max(1, Math.round((us * 1_000) / nsPerTurn(spin)));
  const short = { calls: 0, ns: 0 };
  const long = { calls: 0, ns: 0 };
  let calls = 0;
  const timed = (sum: typeof short, turns: number) => {
    const startNs = threadCpuNs();
    spin(turns);
    sum.ns += threadCpuNs() - startNs;
    sum.calls++;
  };
  return {
    spend() {
      calls++;
      if (calls % TIMED_EVERY !== 0) spin(turns);
      else if (calls % (2 * TIMED_EVERY) !== 0) timed(short, turns);
      else timed(long, LONG * turns);
    },
    meanUs() {
      const callNs = (long.ns / long.calls - short.ns / short.calls) / (LONG - 1);
      const longShare = 1 / (2 * TIMED_EVERY);
      return (callNs * (1 + (LONG - 1) * longShare)) / 1_000;
    },
    reset() {
      short.calls = short.ns = long.calls = long.ns = 0;
    },
  };
}

/** The fastest of many trials, the first of which are not compiled yet. */
function nsPerTurn(spin: (turns: number) => void): number {
  const turns = 10_000;
  let least = Number.POSITIVE_INFINITY;
  for (let trial = 0; trial < 2_000; trial++) {
    const startNs = threadCpuNs();
    spin(turns);
    least = Math.min(least, (threadCpuNs() - startNs) / turns);
  }
  return least;
}
