import { describe, expect, test } from 'bun:test';
import type { Exported } from '../result/schema.ts';
import { fakeExported, fakePair } from '../testing/fakes.ts';
import { countSpans, lostIn, lostShareOf, withReadableCounts } from './lost-records.ts';

const counts = (expected: number, received: number, standardDeviation = 0) => ({
  ...{ expected, received, standardDeviation },
});

test('what chance may have left out was not lost', () => {
  expect(lostIn(counts(1_000, 990))).toBe(10);
  expect(lostIn(counts(1_000, 1_010))).toBe(0);
  expect(lostIn(counts(1_000, 951, 10))).toBe(0);
  expect(lostIn(counts(1_000, 949, 10))).toBe(51);
});

test('a share is of what was expected, and nothing is lost of nothing', () => {
  expect(lostShareOf(counts(1_000, 900))).toBeCloseTo(0.1, 9);
  expect(lostShareOf(counts(0, 0))).toBeNull();
});

describe('a steady rate', () => {
  const pairWith = (scenario: Exported) => {
    const pair = fakePair();
    return { ...pair, exported: { ...pair.exported, scenario } };
  };
  const lossOf = (scenario: Exported) => {
    const { countedPairs, expected, received } = countSpans(
      withReadableCounts([pairWith(fakeExported(100, 100)), pairWith(scenario)]),
      'scenario',
    );
    return { countedPairs, lost: expected - received };
  };

  test('counts what came after the warm-up', () => {
    const since = { spansExpected: 100, spansDeviation: 0, spansReceived: 99 };
    const lossy = { ...fakeExported(10_000, 7_000), sinceWarmUp: since };
    expect(lossOf(lossy)).toEqual({ countedPairs: 2, lost: 1 });
  });

  test('of older files, is not counted in any pair if one lost something: nobody knows when', () => {
    expect(lossOf(fakeExported(10_000, 7_000))).toEqual({ countedPairs: 0, lost: 0 });
    expect(lossOf(fakeExported(10_000, 10_000))).toEqual({ countedPairs: 2, lost: 0 });
  });
});
