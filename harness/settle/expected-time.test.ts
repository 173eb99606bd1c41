import { expect, test } from 'bun:test';
import type { Configuration } from '../result/schema.ts';
import { expectedSeconds } from './expected-time.ts';

const configuration = {
  starts: 0,
  idleSeconds: 0,
  pairs: 4,
  mostPairs: 30,
  atMostSeconds: null,
  warmupSeconds: 60,
  alternatingSlices: 3,
  duetSlices: 3,
  sliceSeconds: 1,
} as Configuration;

test('a pair takes longer where the compiler can not be watched, as on Node', () => {
  expect(expectedSeconds(configuration, 2, ['bun', 'bun']).pair).toBeCloseTo(14.8);
  expect(expectedSeconds(configuration, 2, ['node', 'node']).pair).toBeCloseTo(21.8);
  expect(expectedSeconds(configuration, 2, ['bun', null]).pair).toBeCloseTo(18.3);
});

test('rows at a steady rate settle at it, and have alternating slices in place of duets', () => {
  expect(expectedSeconds(configuration, 2, ['bun'], 1).pair).toBeCloseTo(27.8);
  expect(expectedSeconds(configuration, 2, ['bun'], 0.5).pair).toBeCloseTo(21.3);
});

test('a run is as long as its rows and pairs, but no longer than it may be', () => {
  const unlimited = expectedSeconds(configuration, 2, ['bun']);
  expect(unlimited.run).toBeCloseTo(2 * 4 * 14.8);
  expect(unlimited.longestRun).toBeCloseTo(2 * 30 * 14.8);
  const limited = { ...configuration, atMostSeconds: 100 };
  expect(expectedSeconds(limited, 2, ['bun'])).toMatchObject({ run: 100, longestRun: 100 });
});

test('a short warm-up is not expected to take longer than it may', () => {
  const short = { ...configuration, warmupSeconds: 2 };
  expect(expectedSeconds(short, 1, ['node']).pair).toBeCloseTo(11.8);
});
