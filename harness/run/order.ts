import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import type { PlannedPair, PlannedRow } from '../plan/plan.ts';
import type { Side } from '../result/schema.ts';

/** So many pairs of each row, in rounds of all: a run that is stopped has as many of each. The same seed, the same order. */
export function planPairs(rows: readonly PlannedRow[], pairs: number, seed: number): PlannedPair[] {
  const generator = xoroshiro128plus(seed);
  const random = () => uniformFloat64(generator);
  const side = (): Side => (random() < 0.5 ? 'baseline' : 'scenario');
  return Array.from({ length: pairs }, () => shuffle([...rows], random)).flatMap((round) =>
    round.map((row) => ({ row, startedFirst: side(), loadedFirst: side() })),
  );
}
