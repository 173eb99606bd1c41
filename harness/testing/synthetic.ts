import type { DuetSlice } from '../results/schema.ts';

/** How a made-up machine and its made-up servers behave; parts of 1 throughout. */
export interface Weather {
  /** True CPU per request of the scenario / of the baseline. */
  ratio: number;
  /** Standard deviation of one process from another, for as long as it lives. */
  betweenForks: number;
  /** Standard deviation of a server's cost from slice to slice. */
  betweenSlices: number;
  /** Standard deviation of the machine's speed from slice to slice, which adds up over time. */
  drift: number;
  /** How likely a slice is to be hit by something that slows both servers, though not quite alike. */
  bursts: number;
}

const BASELINE_NS = 20_000;
const SLICE_NS = 1e9;
/** How unevenly a burst hits the two servers. */
const BURST_UNEVENNESS = 0.03;

type SyntheticFork = {
  slices: { [side in keyof DuetSlice]: { cpuNs: number; load: { requests: number } } }[];
};

/** Forks of a duet whose true ratio is known. `random` gives numbers in [0, 1). */
export function syntheticForks(
  forks: number,
  slices: number,
  weather: Weather,
  random: () => number,
): SyntheticFork[] {
  const noise = (deviation: number) => Math.exp(deviation * gaussian(random));
  // A difference of two servers has twice the variance of one.
  const one = (deviation: number) => noise(deviation / Math.SQRT2);
  let slowness = 1;
  return Array.from({ length: forks }, () => {
    slowness *= noise(weather.drift * 3);
    const process = {
      baseline: one(weather.betweenForks),
      scenario: weather.ratio * one(weather.betweenForks),
    };
    return {
      slices: Array.from({ length: slices }, () => {
        slowness *= noise(weather.drift);
        const isBurst = random() < weather.bursts;
        const burst = isBurst ? 1 + 2 * random() : 1;
        const share = 0.5 + 0.02 * gaussian(random);
        const side = (cost: number, part: number, unevenness: number) => {
          const cpuNs = SLICE_NS * part;
          const perRequestNs =
            BASELINE_NS * slowness * burst * cost * one(weather.betweenSlices) * unevenness;
          return { cpuNs, load: { requests: cpuNs / perRequestNs } };
        };
        return {
          baseline: side(process.baseline, share, 1),
          scenario: side(process.scenario, 1 - share, isBurst ? noise(BURST_UNEVENNESS) : 1),
        };
      }),
    };
  });
}

/** A normal deviate (Box and Muller 1958). */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
