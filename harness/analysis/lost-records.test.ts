import { describe, expect, test } from 'bun:test';
import type { Exported } from '../result/schema.ts';
import { fakeExported, fakePair } from '../testing/fakes.ts';
import {
  countSpans,
  losesMoreThan,
  losesMoreThanOther,
  losesRecords,
  lostIn,
  lostShareOf,
  withReadableCounts,
} from './lost-records.ts';

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

describe('a row', () => {
  /** Three pairs whose sinks received so many of 1,000 spans. */
  const rowWith = (baseline: number, scenario: number, receiver?: 'gone') => ({
    pairs: Array.from({ length: 3 }, () => ({
      ...fakePair(),
      exported: {
        baseline: fakeExported(1_000, baseline),
        scenario: fakeExported(1_000, scenario),
      },
    })),
    receiver,
  });

  test('loses records by either server', () => {
    expect(losesRecords(rowWith(1_000, 998), 'scenario')).toBe(true);
    expect(losesRecords(rowWith(1_000, 998), 'baseline')).toBe(false);
    expect(losesRecords(rowWith(998, 1_000), 'baseline')).toBe(true);
  });

  test('loses more than the other server, or another result, by more than an hour explains', () => {
    expect(losesMoreThanOther(rowWith(700, 600), 'scenario')).toBe(true);
    expect(losesMoreThanOther(rowWith(700, 695), 'scenario')).toBe(false);
    expect(losesMoreThanOther(rowWith(600, 700), 'baseline')).toBe(true);
    expect(losesMoreThan(rowWith(0, 600), rowWith(0, 700))).toBe(true);
    expect(losesMoreThan(rowWith(0, 700), rowWith(0, 600))).toBe(false);
  });

  test('whose receiver is in trouble is not said to lose records, since the table says it', () => {
    expect(losesRecords(rowWith(1_000, 0, 'gone'), 'scenario')).toBe(false);
    expect(losesMoreThan(rowWith(1_000, 0, 'gone'), rowWith(1_000, 1_000))).toBe(false);
  });
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
