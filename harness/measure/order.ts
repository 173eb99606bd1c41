import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { shuffle } from 'simple-statistics';

export { shuffle };

/** A source of random numbers in [0, 1), the same for the same seed. */
export function randomSource(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}
