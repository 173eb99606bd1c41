import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';
import type { Side } from '../result/schema.ts';

/** One pair of a run: which scenario of which task, which server starts first, and which has the first alternating slice. */
export type PlannedPair = ReturnType<typeof planPairs>[number];

/**
 * So many pairs of each scenario, the baselines against themselves among them. Every scenario has its turn, in random order,
 * before one has its next, so that a run that is stopped has as many pairs of each. The same seed gives the same order.
 */
export function planPairs(tasks: { name: string; scenarios: string[] }[], pairs: number, seed: number) {
  const random = randomSource(seed);
  const side = (): Side => (random() < 0.5 ? 'baseline' : 'scenario');
  const cells = tasks.flatMap(({ name, scenarios }) => scenarios.map((scenario) => ({ task: name, scenario })));
  return Array.from({ length: pairs }, () => shuffle(cells, random)).flatMap((round) =>
    round.map((cell) => ({ ...cell, startedFirst: side(), loadedFirst: side() })),
  );
}

/** A source of random numbers in [0, 1), the same for the same seed. */
export function randomSource(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}
