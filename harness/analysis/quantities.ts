import { max } from 'simple-statistics';
import { SIDES } from '../pair/sides.ts';
import type { PairWithBursts } from './bursts.ts';
import { figureIn, leastAnswers, type Measure } from './figures.ts';
import { differenceOf, type Sample } from './sample.ts';
import { answersIn } from './slice-totals.ts';
import { cpuSliceKindOf } from './slices.ts';

/** What is compared: the figures that have a change, with an interval. */
export const QUANTITIES = [
  'latencyUs',
  'cpuUs',
  'p99Us',
  'memoryBytes',
] as const satisfies Measure[];
export type Quantity = (typeof QUANTITIES)[number];

/**
 * Returns a quantity of each pair, in µs or bytes; null without pairs, or if one of them did not
 * measure it, or if too few answers stand behind it.
 * @param rate requests a second of their task; null for as many as the servers answer
 */
export function samplesOf(
  pairs: readonly PairWithBursts[],
  quantity: Quantity,
  rate: number | null = null,
): Sample[] | null {
  const needed = pairsToTell(pairs, quantity);
  if (needed === null || needed > pairs.length) return null;
  return pairs.map((pair) => ({ ...sampleOf(pair, quantity), rate }));
}

/**
 * Returns how many pairs like these tell a quantity: more than there are if too few answers stand
 * behind it; null without pairs, or if one of them did not measure it.
 */
export function pairsToTell(pairs: readonly PairWithBursts[], quantity: Quantity): number | null {
  const isMeasured = pairs.every((pair) => Number.isFinite(difference(pair, quantity)));
  if (pairs.length === 0 || !isMeasured) return null;
  const shares = SIDES.map((side) => leastAnswers(quantity) / answersIn(pairs, side));
  return Math.ceil(pairs.length * max([1, ...shares]));
}

/**
 * Returns scenario minus baseline of one pair, in µs or bytes; no finite number if that was not
 * measured.
 */
export function difference(pair: PairWithBursts, quantity: Quantity): number {
  return differenceOf(sampleOf(pair, quantity));
}

function sampleOf(pair: PairWithBursts, quantity: Quantity): Sample {
  return {
    baseline: figureIn(pair, 'baseline', quantity),
    scenario: figureIn(pair, 'scenario', quantity),
    slices: cpuSliceKindOf(pair),
  };
}
