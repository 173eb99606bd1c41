import { sum } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import { type JudgedSlice, judgeResting, judgeSide, type RowNature } from './burst-detection.ts';
import { cpuSliceKindOf, cpuSlicesOf } from './slices.ts';
import { type TimelineSlice, timelineOf } from './timeline.ts';

/*
 * Work by the clock, such as an export of metrics each 20 s: a slice of a second holds all of it or
 * none, so the moment at which slices begin would decide what a request costs. Bursts that stand
 * out of a server's slices are taken out of them, and given back as what they take of each second
 * of its life under load, warm-up included if that is of the same load.
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

/** In fewer of the pairs they are chance, and not by the clock. */
const MIN_PAIR_SHARE = 1 / 3;
const MIN_PAIRS_WITH_BURSTS = 2;

/**
 * Returns the pairs of a row with the bursts of their servers. Nothing is looked for if the slices
 * of the warm-up were not kept.
 */
export function withBursts(pairs: readonly Pair[], nature: RowNature): PairWithBursts[] {
  if (pairs.some(({ warmUp }) => warmUp.length === 0)) return [...pairs];
  const timelines = pairs.map(timelineOf);
  // Beside a burst of one server, the other seems to take less, and its next slices more. So the
  // first look at the scenario only says where not to look at the baseline.
  const firstLook = judgeSide(timelines, 'scenario', nature);
  const judged = (side: Side, otherBursts: Set<TimelineSlice>) =>
    byClock(judgeSide(timelines, side, nature, otherBursts), judgeResting(pairs, side, nature));
  const ofBaseline = judged('baseline', burstsIn(firstLook));
  const ofScenario = judged('scenario', burstsIn(ofBaseline));
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
function burstsIn(judged: readonly JudgedSlice[][]): Set<TimelineSlice> {
  const bursts = judged.flat().filter(({ burstNs }) => burstNs > 0);
  return new Set(bursts.flatMap(({ slice }) => slice ?? []));
}

/** Returns all that was judged of each pair, idle time included; nothing if bursts are chance. */
function byClock(
  loaded: readonly JudgedSlice[][],
  idle: readonly JudgedSlice[][],
): JudgedSlice[][] {
  const judged = loaded.map((slices, at) => [...slices, ...(idle[at] ?? [])]);
  const pairsWithBursts = judged.filter((slices) => slices.some(({ burstNs }) => burstNs > 0));
  const least = Math.max(
    Math.min(MIN_PAIRS_WITH_BURSTS, loaded.length),
    loaded.length * MIN_PAIR_SHARE,
  );
  return pairsWithBursts.length >= least ? judged : loaded.map(() => []);
}

/**
 * Bursts are taken out of the slices that tell CPU. What all bursts take of a second is then given
 * back to each request.
 */
function burstsOf(pair: Pair, judged: readonly JudgedSlice[], requestsPerSecond: number): Bursts {
  const cpuKind = cpuSliceKindOf(pair);
  const ofCpu = judged.filter(({ slice }) => slice?.kind === cpuKind);
  // Alternating slices show large bursts alone, and keep the others. So what shows elsewhere is not
  // given back to them.
  const counted = cpuKind === 'alternating' ? ofCpu : judged;
  const cpuNs = sum(counted.map(({ burstNs }) => burstNs));
  const watchedSeconds = sum(counted.map((each) => each.watchedSeconds));
  // Slices that were not judged keep what bursts they have: those are not given back once more.
  const isGivenBack = cpuNs > 0 && ofCpu.length > 0;
  return {
    count: countBursts(counted),
    cpuNs,
    watchedSeconds,
    inCpuSlicesNs: sum(ofCpu.map(({ burstNs }) => burstNs)),
    perRequestUs: isGivenBack ? cpuNs / 1e3 / watchedSeconds / requestsPerSecond : 0,
  };
}

/** One burst may lie in two slices that follow each other. */
function countBursts(judged: readonly JudgedSlice[]): number {
  const isBurst = judged.map(({ burstNs }) => burstNs > 0);
  return isBurst.filter((is, at) => is && !isBurst[at - 1]).length;
}

/**
 * Returns the requests a second of the server, by which what bursts take of a second becomes what
 * they take of a request: of the server alone on its core, if it had such slices. In turns and
 * duets it has half of its core, and the clock goes on.
 */
function requestsPerSecondOf(pairs: readonly Pair[], side: Side): number {
  const alone = pairs.flatMap(({ alternating }) => alternating);
  const slices = alone.length > 0 ? alone : pairs.flatMap(cpuSlicesOf);
  const loads = slices.map((slice) => slice[side]);
  return sum(loads.map(({ requests }) => requests)) / sum(loads.map(({ seconds }) => seconds));
}
