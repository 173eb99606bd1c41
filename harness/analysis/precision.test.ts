import { describe, expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakePairs, fakeResult } from '../testing/fakes.ts';
import { pairsForWidth, pairsNeeded } from './analysis.ts';
import { estimate } from './estimate.ts';

/** Two rows of five pairs; the second is ten times as noisy. */
function result(precision: Result['configuration']['precision']): Result {
  const found = fakeResult([
    ...fakePairs('base', [9.98, 10.02, 10, 9.99, 10.01]),
    ...fakePairs('other', [11.8, 12.2, 12, 11.9, 12.1]),
  ]);
  found.configuration.precision = precision;
  return found;
}

/** Student's t of 4 degrees of freedom at the level 0.95^(1/2), by its distribution in closed form; s² is 0.025. */
const WIDTH_US = 3.481364948 * (Math.sqrt(0.025) / Math.sqrt(5));

describe('pairs that are needed', () => {
  test('are those that were planned if nobody asked for more', () => {
    expect(pairsNeeded(result(null))).toBe(5);
    expect(pairsNeeded(result({ value: WIDTH_US * 1.01, unit: 'us' }))).toBe(5);
  });

  test("are Stein's (t s / d)² of the noisiest row: four times as many for half the width", () => {
    expect(pairsNeeded(result({ value: WIDTH_US / 2.001, unit: 'us' }))).toBe(21);
    expect(pairsNeeded(result({ value: WIDTH_US / 1.999, unit: 'us' }))).toBe(20);
  });

  test('in % of the CPU per request of the baseline', () => {
    const inUs = pairsNeeded(result({ value: 0.05, unit: 'us' }));
    // The baseline takes 10 µs.
    expect(pairsNeeded(result({ value: 0.5, unit: '%' }))).toBe(inUs);
  });

  test('are none for values that do not differ', () => {
    expect(pairsForWidth(estimate([1, 1, 1]), 0.1)).toBe(0);
  });
});
