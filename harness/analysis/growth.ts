import { max, mean, median, min, sum } from 'simple-statistics';
import type { Pair } from '../result/schema.ts';
import {
  COLD_SLICES,
  cpuUsOf,
  type TimelineKind,
  type TimelineSlice,
  timelineOf,
  togetherSeries,
} from './timeline.ts';

/*
 * Whether what a request costs depends on how many came before: contexts that are never let go make
 * it grow, a compiler or a cache makes it fall. Then one number says little, whatever its interval.
 * The pairs show it themselves, by their slices, those of the warm-up among them.
 */

/** How a row's cost moved while its servers ran. The figures are means over its pairs. */
export interface Growth {
  direction: 'grows' | 'falls';
  /** CPU per request more than the baseline's, in the first of the slices. */
  fromUs: number;
  /** The same in the last. */
  toUs: number;
  /** How many requests the scenario answered from the first slice to the last. */
  requests: number;
  /** Whether all of these slices are of the warm-up. */
  isOfWarmUp: boolean;
}

/** What a request took in a slice, and how many had been answered before. */
interface Point {
  kind: TimelineKind;
  served: number;
  /** CPU of the scenario as a multiple of the baseline's: a slow moment meets both alike. */
  multiple: number;
  baselineUs: number;
}

/** Slices of one pair that can be compared with each other. */
type Series = readonly Point[];

/** The straight line through a series. */
interface Trend {
  fromUs: number;
  toUs: number;
  requests: number;
  baselineUs: number;
}

/** A single slice has no trend. */
const MIN_POINTS = 2;
/** So many slices of a warm-up show whether it moves. */
const MIN_WARM_UP_POINTS = 3;
/** At least so large a part of the move is seen in the warm-up, which has more of the slices. */
const MIN_PART_IN_WARM_UP = 1 / 3;
/** Two slices of servers alone tell chance more than a trend. */
const MIN_POINTS_ALONE = 3;
/**
 * At least this part of what a request moves the cost by in the warm-up must be seen after it, too:
 * a cost that grows as a root grows more slowly by then, and servers that share a core show up to
 * twice as much.
 */
const MIN_PART_ALONE = 1 / 4;

/** The slices of a warm-up that are looked at, and what their costs must show that move. */
interface Window {
  /** Returns the place of the first slice. */
  from: (warmUpSlices: number) => number;
  /** As a part of the cost, or of the baseline's CPU if that is more. */
  leastMove: number;
  /** Whether the difference in µs must move, too, and not only the multiple. */
  inDifferences: boolean;
}

/**
 * While code is compiled, a baseline that becomes faster makes the same cost a larger multiple: so
 * the whole warm-up must show more than its second half.
 */
const WHOLE: Window = {
  from: () => COLD_SLICES,
  leastMove: 0.3,
  inDifferences: true,
};
const SECOND_HALF: Window = {
  from: (slices) => Math.max(1, Math.floor(slices / 2)),
  leastMove: 0.1,
  inDifferences: false,
};
/** One pair, or two, must show a larger move. */
const LEAST_MOVE_OF_FEW = 0.3;
const FEW_PAIRS = 2;
/** Without a trend, chance alone gives so many standard deviations in one of 1,000 rows. */
const LEAST_DEVIATIONS = 3.1;
/** One pair, or two, have too few slices to be as sure. */
const LEAST_DEVIATIONS_OF_FEW = 2.3;
/** So large a part of the pairs moves in one direction: of few pairs, all. */
const AGREEING_SHARE = 0.9;

/**
 * Returns how the cost of a row moves with the requests served; null if it does not, or by so
 * little that it does not matter, or if the slices of the warm-up were not kept.
 * @param isPaced whether slices after the warm-up have a steady rate, which the warm-up has not
 */
export function growthOf(pairs: readonly Pair[], isPaced: boolean): Growth | null {
  const isKept = pairs.length > 0 && pairs.every(({ warmUp }) => warmUp.length > 0);
  if (!isKept) return null;
  const inWhole = growthIn(pairs, isPaced, WHOLE);
  // What falls in the first half alone is steady by now.
  if (inWhole?.direction === 'grows') return inWhole;
  return growthIn(pairs, isPaced, SECOND_HALF);
}

function growthIn(pairs: readonly Pair[], isPaced: boolean, window: Window): Growth | null {
  const seriesOfPairs = pairs.map((pair) => seriesOf(pair, isPaced, window));
  const longest = longestOfAll(seriesOfPairs);
  if (longest.some((series) => series.length < MIN_POINTS)) return null;
  const trends = longest.map((series) => trendOf(series, costByMultiple(series)));
  const sign = Math.sign(meanMove(trends));
  const isGrowth =
    isNoChance(seriesOfPairs, sign) &&
    doAgree(trends, sign) &&
    isLarge(longest, trends, window) &&
    isSeenInWarmUp(longest, trends);
  if (!isGrowth) return null;
  const isOfWarmUp = longest.flat().every(({ kind }) => kind === 'warm-up');
  if (isOfWarmUp && !isPaced && !mayGoOnAlone(pairs, longest)) return null;
  return {
    direction: sign > 0 ? 'grows' : 'falls',
    fromUs: mean(trends.map(({ fromUs }) => fromUs)),
    toUs: mean(trends.map(({ toUs }) => toUs)),
    requests: mean(trends.map(({ requests }) => requests)),
    isOfWarmUp,
  };
}

/**
 * Returns whether the cost may still move after the warm-up, when one server waits while the other
 * has the core for itself; true if a pair has too few such slices to tell. What moves only while
 * both share the core, as in the warm-up, does not come from the requests served, and what has come
 * to rest needs no warning.
 */
function mayGoOnAlone(pairs: readonly Pair[], inWarmUp: readonly Series[]): boolean {
  const alone = pairs.map(aloneOf);
  if (alone.some((series) => series.length < MIN_POINTS_ALONE)) return true;
  return moveByRequest(alone) / moveByRequest(inWarmUp) > MIN_PART_ALONE;
}

/**
 * Returns the alternating slices. Turns are left out: they are one slice of a pair, which differs
 * from alternating ones by more than a trend does.
 */
function aloneOf(pair: Pair): Series {
  return timelineOf(pair)
    .filter(({ kind }) => kind === 'alternating')
    .flatMap(pointOf);
}

/** Returns by how much the cost moves with each request, as a multiple of the baseline's CPU. */
function moveByRequest(allSeries: readonly Series[]): number {
  const trends = allSeries.map((series) => trendOf(series, ({ multiple }) => multiple));
  return meanMove(trends) / mean(trends.map(({ requests }) => requests));
}

/** Returns whether more slices cost more than earlier ones, or less, than chance lets them. */
function isNoChance(seriesOfPairs: readonly Series[][], sign: number): boolean {
  const isFew = seriesOfPairs.length <= FEW_PAIRS;
  const least = isFew ? LEAST_DEVIATIONS_OF_FEW : LEAST_DEVIATIONS;
  return sign * deviationsOf(seriesOfPairs.flat()) >= least;
}

/** Returns whether nearly all pairs move in this direction. */
function doAgree(trends: readonly Trend[], sign: number): boolean {
  const agreeing = trends.filter((trend) => Math.sign(moveOf(trend)) === sign);
  return agreeing.length >= AGREEING_SHARE * trends.length;
}

/** Returns whether the cost moves by enough to change somebody's mind. */
function isLarge(longest: readonly Series[], trends: readonly Trend[], window: Window): boolean {
  const isFew = longest.length <= FEW_PAIRS;
  const least = isFew ? Math.max(window.leastMove, LEAST_MOVE_OF_FEW) : window.leastMove;
  const leastUs = least * mean(trends.map(sizeOf));
  const move = meanMove(trends);
  const inDifferences = meanMove(longest.map((series) => trendOf(series, costByDifference)));
  const isSeenInBoth = Math.sign(move) * inDifferences > leastUs;
  return Math.abs(move) > leastUs && (isSeenInBoth || !window.inDifferences);
}

/**
 * Returns whether the warm-up moves, too, where it has slices enough: what only the slices after it
 * show, in each pair, may be work by the clock that comes then.
 */
function isSeenInWarmUp(longest: readonly Series[], trends: readonly Trend[]): boolean {
  const warmUps = longest.map((series) => series.filter(({ kind }) => kind === 'warm-up'));
  if (warmUps.some((series) => series.length < MIN_WARM_UP_POINTS)) return true;
  const inWarmUp = warmUps.map((series) => trendOf(series, costByMultiple(series)));
  return meanMove(inWarmUp) / meanMove(trends) > MIN_PART_IN_WARM_UP;
}

function meanMove(trends: readonly Trend[]): number {
  return mean(trends.map(moveOf));
}

function moveOf({ fromUs, toUs }: Trend): number {
  return toUs - fromUs;
}

/** Returns what tells the cost in µs at the usual speed: a slow moment meets both servers. */
function costByMultiple(series: Series): (point: Point) => number {
  const baselineUs = median(series.map((point) => point.baselineUs));
  return ({ multiple }) => (multiple - 1) * baselineUs;
}

function costByDifference({ multiple, baselineUs }: Point): number {
  return (multiple - 1) * baselineUs;
}

/**
 * Returns the series of a pair: slices of both servers at once, and alternating ones. A server
 * takes more beside another than alone, so neither kind says anything of the other.
 */
function seriesOf(pair: Pair, isPaced: boolean, { from }: Window): Series[] {
  const timeline = timelineOf(pair);
  const together = togetherSeries(timeline, from(pair.warmUp.length), isPaced);
  const alternating = timeline.filter(({ kind }) => kind === 'alternating');
  return [...together, alternating].map((slices) => slices.flatMap(pointOf));
}

/** Nothing for a slice that tells no cost. */
function pointOf({ kind, baseline, scenario, scenarioServed: served }: TimelineSlice): Point[] {
  const baselineUs = cpuUsOf(baseline);
  const multiple = cpuUsOf(scenario) / baselineUs;
  return Number.isFinite(multiple) ? [{ kind, served, multiple, baselineUs }] : [];
}

/**
 * Returns one series of each pair: those of the kind that has the most slices in the pair that has
 * fewest of it.
 */
function longestOfAll(seriesOfPairs: readonly Series[][]): Series[] {
  const kinds = seriesOfPairs[0]?.keys() ?? [];
  const ofKinds = [...kinds].map((kind) => seriesOfPairs.map((series) => series[kind] ?? []));
  const shortest = (ofPairs: readonly Series[]) => min(ofPairs.map((series) => series.length));
  const longest = max(ofKinds.map(shortest));
  return ofKinds.find((ofPairs) => shortest(ofPairs) === longest) ?? [];
}

/**
 * Returns the line with the median of all slopes between two points, which a burst in one of the
 * slices does not move (P. K. Sen, Journal of the American Statistical Association 63, 1968,
 * 1379-1389).
 */
function trendOf(series: Series, costUsOf: (point: Point) => number): Trend {
  const slope = median(
    pairwise(
      series,
      (one, later) => (costUsOf(later) - costUsOf(one)) / (later.served - one.served),
    ),
  );
  const first = series.at(0)?.served ?? 0;
  const requests = (series.at(-1)?.served ?? 0) - first;
  const fromUs = median(series.map((point) => costUsOf(point) - slope * (point.served - first)));
  return {
    fromUs,
    toUs: fromUs + slope * requests,
    requests,
    baselineUs: median(series.map(({ baselineUs }) => baselineUs)),
  };
}

/** Returns what a move is held against: the cost, or the baseline's CPU if that is more. */
function sizeOf({ fromUs, toUs, baselineUs }: Trend): number {
  return Math.max(baselineUs, Math.abs(fromUs), Math.abs(toUs));
}

/**
 * Returns by how many standard deviations more of the later slices cost more than earlier ones of
 * their series than chance lets them (M. G. Kendall's S, of all series together).
 */
function deviationsOf(allSeries: readonly Series[]): number {
  const score = sum(
    allSeries.flatMap((series) =>
      pairwise(series, (one, later) => Math.sign(later.multiple - one.multiple)),
    ),
  );
  const variance = sum(allSeries.map(({ length: n }) => (n * (n - 1) * (2 * n + 5)) / 18));
  return variance > 0 ? score / Math.sqrt(variance) : 0;
}

/** Returns what the function makes of each point and each later one. */
function pairwise(series: Series, make: (one: Point, later: Point) => number): number[] {
  return series.flatMap((one, at) => series.slice(at + 1).map((later) => make(one, later)));
}
