import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { mersenne } from 'pure-rand/generator/mersenne';
import { shuffle } from 'simple-statistics';
import type { PlannedPair, PlannedRow } from '../plan/plan.ts';
import type { Side } from '../result/schema.ts';

/** Makes the seeds of neighbouring rounds differ in many bits (the golden ratio of 32 bits). */
const ROUND_STEP = 0x9e3779b9;

/**
 * Returns one pair of each row in random order. The same seed and round give the same order and
 * sides, whatever was measured before: so a run that goes on later measures what it would have
 * measured.
 * @param round from 1 on
 */
export function planRound(rows: readonly PlannedRow[], round: number, seed: number): PlannedPair[] {
  const generator = mersenne((seed + round * ROUND_STEP) | 0);
  const random = () => uniformFloat64(generator);
  const randomSide = (): Side => (random() < 0.5 ? 'baseline' : 'scenario');
  return shuffle([...rows], random).map((row) => ({
    row,
    startedFirst: randomSide(),
    loadedFirst: randomSide(),
  }));
}

/**
 * Returns so many rounds, one after the other: a run that is stopped has as many pairs of each row.
 */
export function planRounds(
  rows: readonly PlannedRow[],
  rounds: number,
  seed: number,
): PlannedPair[] {
  return Array.from({ length: rounds }, (_, index) => planRound(rows, index + 1, seed)).flat();
}
