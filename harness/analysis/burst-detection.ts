import { median, min, quantile } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import {
  COLD_SLICES,
  cpuUsOf,
  idleInWarmUp,
  type TimelineSlice,
  togetherSeries,
} from './timeline.ts';

/*
 * How bursts are told from chance: each server of a pair is judged in all its slices, and in each
 * kind of them by what is usual there.
 */

/** A slice of one server, beside what is usual for it. */
interface Excess {
  slice: TimelineSlice;
  /** CPU time more than usual. */
  excessNs: number;
  /** The logarithm of how many times the usual CPU it took. */
  logExcess: number;
}

/** A slice, and what stands out of it: 0 for most. */
export interface JudgedSlice {
  /** Null for a while in which the other server alone was under load. */
  slice: TimelineSlice | null;
  watchedSeconds: number;
  burstNs: number;
}

/** CPU per request of one server as a multiple of that of the other, in one slice. */
interface Ratio {
  slice: TimelineSlice;
  value: number;
  /** What the other took in this slice, in µs. */
  otherUs: number;
}

/** A burst takes more than this part of its slice's CPU. */
const MIN_SHARE = 0.1;
/** A burst takes so much CPU time. */
const MIN_NS = 5e7;
/** What is so many standard deviations dearer than usual is not so by chance. */
const MIN_DEVIATIONS = 5;
/** A few slices may look more alike than slices are. */
const MIN_STANDARD_DEVIATION = 0.02;
/** So many slices before a burst, and after it, are not all in bursts, too. */
const NEIGHBOURS = 3;
/** A burst may go on in the next slice, which alone would not tell what is usual. */
const MIN_NEIGHBOURS = 2;
/** No machine is slower by more for a second: a server that takes more is in a burst itself. */
const MAX_SLOWDOWN = 2;
/** CPU per request of a warm server does not change by this factor within some seconds. */
const MAX_CHANGE = 1.5;
/** Alternating slices lie seconds apart, so a busy machine alone makes them unlike. */
const MIN_RATIO_ALONE = 2;
/**
 * In a busy hour, turns read up to a fifth more than slices alone without any burst. What a burst
 * adds to less than this is near what it takes in the mean: turns last for several seconds.
 */
const MIN_RATIO_IN_TURNS = 1.25;
/** Of fewer slices nobody knows what is usual. */
const MIN_ALTERNATING = 4;
/** A median of normal values has a larger standard error than their mean, by this factor. */
const MEDIAN_FACTOR = 1.2533;
/** The median of absolute deviations of normal values is so much smaller than the standard one. */
const MAD_FACTOR = 1.4826;
/** The same of the lower half of normal values, which no burst reaches. */
const LOWER_HALF_FACTOR = 2.5;

/** What tells how the slices of a row compare with each other. */
export interface RowNature {
  /** Whether slices after the warm-up have a steady rate, which the warm-up has not. */
  isPaced: boolean;
  /** Whether its cost moves with the requests served: then turns can't be held against before. */
  isMoving: boolean;
}

/**
 * Judges a server while the other one is under load alone. What it does then each time, such as
 * work that its requests left behind, is no burst.
 */
export function judgeResting(
  pairs: readonly Pair[],
  side: Side,
  { isPaced }: RowNature,
): readonly JudgedSlice[][] {
  const all = pairs.map((pair) =>
    isPaced ? pair.whileIdle[side].slice(idleInWarmUp(pair, side)) : pair.whileIdle[side],
  );
  const shares = all.flat().map(({ cpuMs, watchedMs }) => cpuMs / watchedMs);
  const usual = shares.length > 0 ? median(shares) : 0;
  return all.map((some) =>
    some.map(({ cpuMs, watchedMs }) => {
      const excessNs = (cpuMs - usual * watchedMs) * 1e6;
      const isBurst = excessNs > MIN_NS && cpuMs > MIN_RATIO_ALONE * usual * watchedMs;
      return { slice: null, watchedSeconds: watchedMs / 1e3, burstNs: isBurst ? excessNs : 0 };
    }),
  );
}

/**
 * Judges one server in the slices of each pair. Of a steady rate, these are none of the warm-up:
 * that is at full load, where what it takes beside requests, such as collecting garbage, comes more
 * often.
 * @param otherBursts slices with bursts of the other server
 */
export function judgeSide(
  allTimelines: readonly TimelineSlice[][],
  side: Side,
  { isPaced, isMoving }: RowNature,
  otherBursts: ReadonlySet<TimelineSlice> = new Set(),
): JudgedSlice[][] {
  const timelines = isPaced ? allTimelines.map(withoutWarmUp) : allTimelines;
  const alternating = judgeAlternating(timelines, side);
  const turns = isMoving ? timelines.map(() => []) : judgeTurns(timelines, side, alternating);
  const together = judgeTogether(timelines, side, otherBursts);
  return timelines.map((_, at) => [
    ...(together[at] ?? []),
    ...(alternating[at] ?? []),
    ...(turns[at] ?? []),
  ]);
}

function withoutWarmUp(timeline: readonly TimelineSlice[]): TimelineSlice[] {
  return timeline.filter(({ kind }) => kind !== 'warm-up' && kind !== 'warm-up-alone');
}

/**
 * Judges slices with both servers under load at once: what slows down the machine slows down both,
 * so that of them a burst stands out of those before and after it.
 */
function judgeTogether(
  timelines: readonly TimelineSlice[][],
  side: Side,
  otherBursts: ReadonlySet<TimelineSlice>,
): readonly JudgedSlice[][] {
  // The warm-up of a steady rate is none of these slices, so the others are one series.
  const excesses = timelines.map((timeline) =>
    togetherSeries(timeline, COLD_SLICES, false).flatMap((slices) =>
      besideNeighbours(slices, side, otherBursts),
    ),
  );
  const limit = MIN_DEVIATIONS * lowerSpreadOf(excesses.flat().map(({ logExcess }) => logExcess));
  return excesses.map((slices) => slices.map((slice) => judged(slice, side, limit)));
}

function besideNeighbours(
  slices: readonly TimelineSlice[],
  side: Side,
  otherBursts: ReadonlySet<TimelineSlice>,
): Excess[] {
  const ratios = ratiosOf(slices, side);
  const areUsual = (some: readonly Ratio[]) => some.filter(({ slice }) => !otherBursts.has(slice));
  return ratios.flatMap((ratio, at) => {
    const before = areUsual(ratios.slice(0, at)).slice(-NEIGHBOURS);
    const after = areUsual(ratios.slice(at + 1)).slice(0, NEIGHBOURS);
    // A cost that still falls stands out of the slices after it alone.
    const isFirst = ratio.slice.kind === 'warm-up' && before.length < MIN_NEIGHBOURS;
    if (isFirst || before.length + after.length === 0) return [];
    const usual = usualBetween(valuesOf(before), valuesOf(after));
    const least = min(valuesOf([...before, ...after]));
    // A burst may last for all slices after the warm-up, but no warm server becomes so much dearer.
    const isAllBursts = ratio.slice.kind === 'duets' && usual > MAX_CHANGE * least;
    return [excessOf(ratio, side, isAllBursts ? least : usual)];
  });
}

/**
 * Returns what is usual between slices before and after: what rises or falls all the while does not
 * stand out of both. The least of each is in no burst. At an end it is the median of those that
 * there are: the least may be one in which the other server was in a burst.
 */
function usualBetween(before: readonly number[], after: readonly number[]): number {
  const areEnough = [before, after].every(({ length }) => length >= MIN_NEIGHBOURS);
  if (areEnough) return Math.max(min([...before]), min([...after]));
  return median([...before, ...after]);
}

function valuesOf(ratios: readonly Ratio[]): number[] {
  return ratios.map(({ value }) => value);
}

/**
 * Judges alternating slices. A pair has few, and each may hold a burst: so the usual one is that
 * of a quarter of all, of all pairs.
 */
function judgeAlternating(
  timelines: readonly TimelineSlice[][],
  side: Side,
): readonly JudgedSlice[][] {
  const all = timelines.map((timeline) =>
    timeline.filter(({ kind }) => kind === 'alternating' || kind === 'warm-up-alone'),
  );
  const ratios = ratiosOf(all.flat(), side);
  if (ratios.length < MIN_ALTERNATING) return timelines.map(() => []);
  const values = valuesOf(ratios);
  const usual = quantile(values, 0.25);
  const lower = values.filter((value) => value <= median(values));
  const spread =
    LOWER_HALF_FACTOR * median(lower.map((value) => Math.abs(Math.log(value / usual))));
  const limit = Math.max(Math.log(MIN_RATIO_ALONE), MIN_DEVIATIONS * spread);
  return all.map((slices) =>
    ratios
      .filter(({ slice }) => slices.includes(slice))
      .map((ratio) => judged(excessOf(ratio, side, usual), side, limit)),
  );
}

/**
 * Judges turns. A pair has one slice of them, as long as several: the usual one is that of the
 * alternating slices, since in turns, too, each server is alone on its core.
 */
function judgeTurns(
  timelines: readonly TimelineSlice[][],
  side: Side,
  alternating: readonly JudgedSlice[][],
): readonly JudgedSlice[][] {
  const quiet = alternating.flat().filter(({ burstNs }) => burstNs === 0);
  const usualRatios = valuesOf(
    ratiosOf(
      quiet.flatMap(({ slice }) => slice ?? []),
      side,
    ),
  );
  const all = timelines.map((timeline) => timeline.filter(({ kind }) => kind === 'turns'));
  if (usualRatios.length < MIN_ALTERNATING) return timelines.map(() => []);
  const usual = median(usualRatios);
  const spread = spreadOf(usualRatios.map((value) => Math.log(value / usual)));
  const chance = (MIN_DEVIATIONS * MEDIAN_FACTOR * spread) / Math.sqrt(usualRatios.length);
  const limit = Math.max(chance, Math.log(MIN_RATIO_IN_TURNS));
  return all.map((slices) =>
    ratiosOf(slices, side).map((ratio) => judged(excessOf(ratio, side, usual), side, limit)),
  );
}

/** Returns how each slice's server compares with the other, without slices that tell nothing. */
function ratiosOf(slices: readonly TimelineSlice[], side: Side): Ratio[] {
  const other = side === 'baseline' ? 'scenario' : 'baseline';
  const known = slices.filter(
    (slice) => slice[side].cpuNs > 0 && slice[other].cpuNs > 0 && slice[other].requests > 0,
  );
  if (known.length === 0) return [];
  const slowestUs = MAX_SLOWDOWN * median(known.map((slice) => cpuUsOf(slice[other])));
  return known.map((slice) => {
    const otherUs = Math.min(cpuUsOf(slice[other]), slowestUs);
    return { slice, otherUs, value: cpuUsOf(slice[side]) / otherUs };
  });
}

function excessOf({ slice, value, otherUs }: Ratio, side: Side, usual: number): Excess {
  const { cpuNs, requests } = slice[side];
  return {
    slice,
    excessNs: cpuNs - usual * otherUs * 1e3 * requests,
    logExcess: Math.log(value / usual),
  };
}

function judged({ slice, excessNs, logExcess }: Excess, side: Side, limit: number): JudgedSlice {
  const isBurst =
    logExcess > limit && excessNs > MIN_NS && excessNs > MIN_SHARE * slice[side].cpuNs;
  const { watchedSeconds } = slice[side];
  return { slice, watchedSeconds, burstNs: isBurst ? excessNs : 0 };
}

/** Returns the standard deviation of the values, of which some may be bursts. */
function spreadOf(values: readonly number[]): number {
  if (values.length === 0) return MIN_STANDARD_DEVIATION;
  const middle = median([...values]);
  const spread = MAD_FACTOR * median(values.map((value) => Math.abs(value - middle)));
  return Math.max(spread, MIN_STANDARD_DEVIATION);
}

/** Returns the same by the lower half of the values, if up to half of all may be bursts. */
function lowerSpreadOf(values: readonly number[]): number {
  if (values.length === 0) return MIN_STANDARD_DEVIATION;
  const middle = median([...values]);
  const lower = values.filter((value) => value <= middle);
  const center = median(lower);
  const spread = LOWER_HALF_FACTOR * median(lower.map((value) => Math.abs(value - center)));
  return Math.max(spread, MIN_STANDARD_DEVIATION);
}
