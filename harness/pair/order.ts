import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import type { Side } from '../result/schema.ts';
import { cellsOf, type LoadedTask } from '../suite/load.ts';
import { otherSide } from './sides.ts';

/** One pair of a run: which scenario of which task, which server starts first, and which has the first alternating slice. */
export type PlannedPair = ReturnType<typeof planPairs>[number];

/**
 * So many pairs of each scenario, the baselines against themselves among them. Every scenario has its turn, in random
 * order, before one has its next: a run that is stopped has as many pairs of each. The same seed gives the same order.
 */
export function planPairs(tasks: LoadedTask[], pairs: number, seed: number) {
  const generator = xoroshiro128plus(seed);
  const random = () => uniformFloat64(generator);
  const side = (): Side => (random() < 0.5 ? 'baseline' : 'scenario');
  return Array.from({ length: pairs }, () => shuffle(cellsOf(tasks), random)).flatMap((round) =>
    round.map((cell) => ({ ...cell, startedFirst: side(), loadedFirst: side() })),
  );
}

/** B S S B B S ...: neighbours of a slice are of the other server, whatever drifts. */
export function sideAt(index: number, first: Side): Side {
  return index % 2 === 0 ? first : otherSide(first);
}
