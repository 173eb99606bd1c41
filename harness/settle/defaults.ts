/** What a run is like if neither the user nor the suite says otherwise. */
export interface RunDefaults {
  connections: number;
  /** The load on each server in alternating slices, over all pairs. */
  durationSeconds: number;
  sliceSeconds: number;
  /** How many pairs a row has, where their number is fixed. */
  pairs: number;
  duetSlices: number;
  /** A warm-up ends after so many seconds, even if the pair is not steady. */
  warmupSeconds: number;
  /** How often each server of a row is started for its start-up time. */
  starts: number;
  /** How long servers get no requests, so that the CPU is seen that they take then. */
  idleSeconds: number;
}

/** `scripts/bench.sh` shows the load that these make. */
export const FULL: RunDefaults = {
  connections: 100,
  durationSeconds: 30,
  sliceSeconds: 1,
  pairs: 10,
  duetSlices: 3,
  warmupSeconds: 60,
  starts: 0,
  idleSeconds: 0,
};

/**
 * Many short pairs tell more than few long ones, because processes differ from each other
 * (docs/method.md). In the same three minutes, four pairs with two slices each made intervals of
 * CPU wider by a fifth (benchmarks/quick.ts). After 3 s, traced servers on Node read up to 60 % too
 * high: ten slices are what the warm-up needs there.
 */
export const QUICK: RunDefaults = {
  ...FULL,
  durationSeconds: 5,
  pairs: 5,
  duetSlices: 1,
  warmupSeconds: 10,
};
