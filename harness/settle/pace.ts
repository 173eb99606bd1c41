/** The defaults. scripts/bench.sh shows the load that they make. */
export const FULL = {
  ...{ connections: 100, durationSeconds: 30, sliceSeconds: 1, pairs: 10 },
  ...{ duetSlices: 3, warmupSeconds: 60, starts: 0, idleSeconds: 0 },
};
/**
 * Many short pairs tell more than few long ones, because processes differ from each other
 * (docs/method.md). In the same three minutes, four pairs with two slices each made intervals of
 * CPU wider by a fifth (benchmarks/quick.ts). After 3 s, traced servers on Node read up to 60 % too
 * high: ten slices are what the warm-up needs there.
 */
export const QUICK = { ...FULL, durationSeconds: 5, pairs: 5, duetSlices: 1, warmupSeconds: 10 };
