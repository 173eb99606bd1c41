import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';

/** A source of random numbers in [0, 1), the same for the same seed. */
export function randomSource(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}

/** The order in which each round measures the scenarios: all of them once, shuffled anew for every round. */
export function roundOrders(scenarios: string[], rounds: number, seed: number): string[][] {
  const random = randomSource(seed);
  return Array.from({ length: rounds }, () => shuffle(scenarios, random));
}
