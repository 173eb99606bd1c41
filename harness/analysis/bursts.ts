import { median, min, quantile, sum } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import { cpuUsOf, type LifeSlice, lifeOf } from './life.ts';
import { cpuSliceKindOf, cpuSlicesOf } from './slices.ts';

/*
 * Work by the clock, such as an export of metrics each 20 s: a slice of a second holds all of it or
 * none, so the moment at which slices begin would decide what a request costs. Bursts that stand
 * out of a server's slices are taken out of them, and given back as what they take of each second
 * of its life under load, warm-up included.
 */

/** What the bursts of one server of a pair took. */
export interface Bursts {
  /** How many there were. */
  count: number;
  cpuNs: number;
  /** How long its CPU was watched for them. */
  watchedSeconds: number;
  /** What of their CPU time lies in the slices that tell CPU per request. */
  inCpuSlicesNs: number;
  /** What they take of a request in the mean, in µs, as often as they come. */
  perRequestUs: number;
}

/** A pair, and the bursts of its servers if they were looked for. */
export interface PairWithBursts extends Pair {
  bursts?: Record<Side, Bursts>;
}

/** A slice of one server, beside what is usual for it. */
interface Judged {
  slice: LifeSlice;
  /** CPU time more than usual. */
  excessNs: number;
  /** The logarithm of how many times the usual CPU it took. */
  deviation: number;
}

/** A slice, and what stands out of it: 0 for most. */
interface Watched {
  /** Null for a while in which the other server alone was under load. */
  slice: LifeSlice | null;
  watchedSeconds: number;
  burstNs: number;
}

/** CPU per request of one server as a multiple of that of the other, in one slice. */
interface Ratio {
  slice: LifeSlice;
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
/** While a server is cold, its slices differ by the code that is compiled in them. */
const COLD_SLICES = 2;
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
/** In fewer of the pairs they are chance, and not by the clock. */
const MIN_PAIR_SHARE = 1 / 3;
const MIN_PAIRS = 2;

/** What tells how the slices of a row compare with each other. */
export interface RowNature {
  /** Whether slices after the warm-up have a steady rate, which the warm-up has not. */
  isPaced: boolean;
  /** Whether its cost moves with the requests served: then turns can't be held against before. */
  isMoving: boolean;
}

/**
 * Returns the pairs of a row with the bursts of their servers. Nothing is looked for if the slices
 * of the warm-up were not kept.
 */
export function withBursts(pairs: readonly Pair[], nature: RowNature): PairWithBursts[] {
  if (pairs.some(({ warmUp }) => warmUp.length === 0)) return [...pairs];
  const lives = pairs.map(lifeOf);
  // Beside a burst of one server, the other seems to take less, and its next slices more.
  const first = watchSide(lives, 'scenario', nature);
  const ofBaseline = byClock(
    pairs,
    'baseline',
    watchSide(lives, 'baseline', nature, burstsIn(first)),
  );
  const ofScenario = byClock(
    pairs,
    'scenario',
    watchSide(lives, 'scenario', nature, burstsIn(ofBaseline)),
  );
  // In one pair, a busy machine may let a server answer a tenth of what it answers in another.
  const rates = {
    baseline: requestsPerSecondOf(pairs, 'baseline'),
    scenario: requestsPerSecondOf(pairs, 'scenario'),
  };
  return pairs.map((pair, at) => ({
    ...pair,
    bursts: {
      baseline: burstsOf(pair, ofBaseline[at] ?? [], rates.baseline),
      scenario: burstsOf(pair, ofScenario[at] ?? [], rates.scenario),
    },
  }));
}

/** Returns the slices with bursts. */
function burstsIn(watched: readonly Watched[][]): Set<LifeSlice> {
  const bursts = watched.flat().filter(({ burstNs }) => burstNs > 0);
  return new Set(bursts.flatMap(({ slice }) => slice ?? []));
}

/** Returns what was watched of each pair, idle time included; nothing if bursts are chance. */
function byClock(pairs: readonly Pair[], side: Side, loaded: readonly Watched[][]): Watched[][] {
  const idle = watchIdle(pairs, side);
  const watched = loaded.map((slices, pair) => [...slices, ...(idle[pair] ?? [])]);
  const pairsWithBursts = watched.filter((slices) => slices.some(({ burstNs }) => burstNs > 0));
  const least = Math.max(Math.min(MIN_PAIRS, pairs.length), pairs.length * MIN_PAIR_SHARE);
  return pairsWithBursts.length >= least ? watched : pairs.map(() => []);
}

/**
 * Watches a server while the other one is under load alone. What it does then each time, such as
 * work that its requests left behind, is no burst.
 */
function watchIdle(pairs: readonly Pair[], side: Side): readonly Watched[][] {
  const all = pairs.map(({ whileIdle }) => whileIdle[side]);
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
 * Returns the slices of each pair in which one of its servers was watched.
 * @param otherBursts slices with bursts of the other server
 */
function watchSide(
  lives: readonly LifeSlice[][],
  side: Side,
  nature: RowNature,
  otherBursts: ReadonlySet<LifeSlice> = new Set(),
): Watched[][] {
  const alternating = watchAlternating(lives, side);
  const turns = nature.isMoving ? lives.map(() => []) : watchTurns(lives, side, alternating);
  const together = watchTogether(lives, side, nature.isPaced, otherBursts);
  return lives.map((_, pair) => [
    ...(together[pair] ?? []),
    ...(alternating[pair] ?? []),
    ...(turns[pair] ?? []),
  ]);
}

function burstsOf(pair: Pair, watched: readonly Watched[], requestsPerSecond: number): Bursts {
  const cpuNs = sum(watched.map(({ burstNs }) => burstNs));
  const watchedSeconds = sum(watched.map((each) => each.watchedSeconds));
  const cpuKind = cpuSliceKindOf(pair);
  const ofCpu = watched.filter(({ slice }) => slice?.kind === cpuKind);
  return {
    count: countBursts(watched),
    cpuNs,
    watchedSeconds,
    inCpuSlicesNs: sum(ofCpu.map(({ burstNs }) => burstNs)),
    perRequestUs: cpuNs > 0 ? cpuNs / 1e3 / watchedSeconds / requestsPerSecond : 0,
  };
}

/** One burst may lie in two slices that follow each other. */
function countBursts(watched: readonly Watched[]): number {
  const isBurst = watched.map(({ burstNs }) => burstNs > 0);
  return isBurst.filter((is, at) => is && !isBurst[at - 1]).length;
}

/**
 * Returns the requests a second of the server in the slices that tell CPU per request: of them, the
 * mean stays what it is.
 */
function requestsPerSecondOf(pairs: readonly Pair[], side: Side): number {
  const loads = pairs.flatMap(cpuSlicesOf).map((slice) => slice[side]);
  return sum(loads.map(({ requests }) => requests)) / sum(loads.map(({ seconds }) => seconds));
}

/**
 * Watches slices with both servers under load at once: what slows down the machine slows down both,
 * so that of them a burst stands out of those before and after it.
 */
function watchTogether(
  lives: readonly LifeSlice[][],
  side: Side,
  isPaced: boolean,
  otherBursts: ReadonlySet<LifeSlice>,
): readonly Watched[][] {
  const series = lives.map((life) => {
    const warmUp = life.filter(({ kind, index }) => kind === 'warm-up' && index >= COLD_SLICES);
    const duets = life.filter(({ kind }) => kind === 'duets');
    return isPaced ? [warmUp, duets] : [[...warmUp, ...duets]];
  });
  const judged = series.map((each) =>
    each.flatMap((slices) => besideNeighbours(slices, side, otherBursts)),
  );
  const limit = MIN_DEVIATIONS * lowerSpreadOf(judged.flat().map(({ deviation }) => deviation));
  return judged.map((slices) => slices.map((slice) => watch(slice, side, limit)));
}

function besideNeighbours(
  slices: readonly LifeSlice[],
  side: Side,
  otherBursts: ReadonlySet<LifeSlice>,
): Judged[] {
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
    return [judge(ratio, side, isAllBursts ? least : usual)];
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
 * Watches alternating slices. A pair has few, and each may hold a burst: so the usual one is that
 * of a quarter of all, of all pairs.
 */
function watchAlternating(lives: readonly LifeSlice[][], side: Side): readonly Watched[][] {
  const all = lives.map((life) =>
    life.filter(({ kind }) => kind === 'alternating' || kind === 'warm-up-alone'),
  );
  const ratios = ratiosOf(all.flat(), side);
  if (ratios.length < MIN_ALTERNATING) return lives.map(() => []);
  const values = valuesOf(ratios);
  const usual = quantile(values, 0.25);
  const lower = values.filter((value) => value <= median(values));
  const spread =
    LOWER_HALF_FACTOR * median(lower.map((value) => Math.abs(Math.log(value / usual))));
  const limit = Math.max(Math.log(MIN_RATIO_ALONE), MIN_DEVIATIONS * spread);
  return all.map((slices) =>
    ratios
      .filter(({ slice }) => slices.includes(slice))
      .map((ratio) => watch(judge(ratio, side, usual), side, limit)),
  );
}

/**
 * Watches turns. A pair has one slice of them, as long as several: the usual one is that of the
 * alternating slices, since in turns, too, each server is alone on its core.
 */
function watchTurns(
  lives: readonly LifeSlice[][],
  side: Side,
  alternating: readonly Watched[][],
): readonly Watched[][] {
  const quiet = alternating.flat().filter(({ burstNs }) => burstNs === 0);
  const usualRatios = valuesOf(
    ratiosOf(
      quiet.flatMap(({ slice }) => slice ?? []),
      side,
    ),
  );
  const all = lives.map((life) => life.filter(({ kind }) => kind === 'turns'));
  if (usualRatios.length < MIN_ALTERNATING) return lives.map(() => []);
  const usual = median(usualRatios);
  const spread = spreadOf(usualRatios.map((value) => Math.log(value / usual)));
  const chance = (MIN_DEVIATIONS * MEDIAN_FACTOR * spread) / Math.sqrt(usualRatios.length);
  const limit = Math.max(chance, Math.log(MIN_RATIO_IN_TURNS));
  return all.map((slices) =>
    ratiosOf(slices, side).map((ratio) => watch(judge(ratio, side, usual), side, limit)),
  );
}

/** Returns how each slice's server compares with the other, without slices that tell nothing. */
function ratiosOf(slices: readonly LifeSlice[], side: Side): Ratio[] {
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

function judge({ slice, value, otherUs }: Ratio, side: Side, usual: number): Judged {
  const { cpuNs, requests } = slice[side];
  return {
    slice,
    excessNs: cpuNs - usual * otherUs * 1e3 * requests,
    deviation: Math.log(value / usual),
  };
}

function watch({ slice, excessNs, deviation }: Judged, side: Side, limit: number): Watched {
  const isBurst =
    deviation > limit && excessNs > MIN_NS && excessNs > MIN_SHARE * slice[side].cpuNs;
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
