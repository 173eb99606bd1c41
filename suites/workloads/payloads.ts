import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** Bytes of `data` in requests and answers; all of it is ASCII. */
export const SIZES = { small: 100 * 1024, medium: 1024 * 1024, large: 2 * 1024 * 1024 };
export type Size = keyof typeof SIZES;

// Pseudo-random and seeded, so that every server answers with the same bytes, and every run sends the same.
const ANSWER_SEED = 1;
const REQUEST_SEED = 2;
const WORD_COUNT = 64;
const WORD_LENGTH = 8;

/** What to send to `/api/small-post`, `/api/medium-post` and `/api/large-post`: JSON `{data}`. */
export function requestBodies(isCompressible = false): Record<Size, string> {
  const body = (size: Size) => JSON.stringify({ data: payload(size, isCompressible, REQUEST_SEED) });
  return { small: body('small'), medium: body('medium'), large: body('large') };
}

/** The `data` of an answer, or with another seed of a request. */
export function payload(size: Size, isCompressible: boolean, seed = ANSWER_SEED): string {
  const generator = xoroshiro128plus(seed);
  return (isCompressible ? randomWords : randomBase64)(SIZES[size], generator);
}

/** Compresses by no more than the quarter that base64 adds. */
function randomBase64(length: number, generator: RandomGenerator): string {
  const numbers = Uint32Array.from({ length: Math.ceil((length * 3) / 16) }, () => generator.next());
  return Buffer.from(numbers.buffer).toString('base64').slice(0, length);
}

/** Few different words in random order. */
function randomWords(length: number, generator: RandomGenerator): string {
  const vocabulary = Array.from({ length: WORD_COUNT }, () => randomBase64(WORD_LENGTH, generator));
  const nextWord = () => vocabulary[(generator.next() >>> 0) % WORD_COUNT];
  return Array.from({ length: length / WORD_LENGTH }, nextWord)
    .join(' ')
    .slice(0, length);
}
