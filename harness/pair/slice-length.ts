import type { Arms } from './arms.ts';
import { SIDES } from './sides.ts';
import { type SampledSlice, warmUpSamples } from './steadiness.ts';
import { answersNoMore } from './warm-up-faults.ts';

/*
 * How long slices are to be for a server that is slow: its warm-up tells.
 */

/** So many answers make a good mean of a slice. */
const MIN_ANSWERS = 200;
/** A server that takes longer for that many answers is measured on fewer. */
const MAX_SLICE_SECONDS = 30;

/**
 * Returns how many answers a second are to be expected of the slower server; infinite if one
 * answers no more, which longer slices don't mend. One that is silent without an error may need
 * more than a slice for an answer, since some load tools leave without their last ones.
 */
export function expectedRate(arms: Arms, slices: readonly SampledSlice[]): number {
  const isHopeless = SIDES.some((side) => answersNoMore(arms[side], warmUpSamples(side, slices)));
  return isHopeless ? Number.POSITIVE_INFINITY : slowestRateIn(slices);
}

/**
 * Returns the rate of the slower server, in answers a second, in the last slice in which it
 * answered.
 */
export function slowestRateIn(slices: readonly SampledSlice[]): number {
  const lastSamples = SIDES.flatMap((side) => {
    const samples = warmUpSamples(side, slices);
    // A slice that failed says nothing of the server.
    return samples.findLast(({ requests }) => requests > 0) ?? samples.at(-1) ?? [];
  });
  return Math.min(...lastSamples.map(({ requests, seconds }) => requests / seconds));
}

/**
 * Returns the seconds of a slice in which a server gives some 200 answers, at least the wanted
 * ones.
 * @param rate answers a second of the slower server
 */
export function sliceSecondsFor(rate: number, wantedSeconds: number): number {
  const needed = rate > 0 ? Math.ceil(MIN_ANSWERS / rate) : MAX_SLICE_SECONDS;
  return Math.max(wantedSeconds, Math.min(needed, MAX_SLICE_SECONDS));
}
