import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Bytes of `data` in requests and answers; all of it is ASCII. */
export const SIZES = { small: 100 * 1024, medium: 1024 * 1024, large: 2 * 1024 * 1024 };
export type Size = keyof typeof SIZES;

// Pseudo-random and seeded, so that every server answers with the same bytes, and every run sends
// the same.
const ANSWER_SEED = 1;
const REQUEST_SEED = 2;

/** What to send to `/api/small-post`, `/api/medium-post` and `/api/large-post`: JSON `{data}`. */
export function requestBodies(): Record<Size, string> {
  const body = (size: Size) => JSON.stringify({ data: payload(size, REQUEST_SEED) });
  return { small: body('small'), medium: body('medium'), large: body('large') };
}

/**
 * The `data` of an answer, or with another seed of a request. It compresses by no more than the
 * quarter that base64 adds.
 */
export function payload(size: Size, seed = ANSWER_SEED): string {
  const generator = xoroshiro128plus(seed);
  const length = SIZES[size];
  const numbers = Uint32Array.from({ length: Math.ceil((length * 3) / 16) }, () =>
    generator.next(),
  );
  return Buffer.from(numbers.buffer).toString('base64').slice(0, length);
}
