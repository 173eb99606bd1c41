import { describe, expect, test } from 'bun:test';
import type { Pair, Precision } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakePair, fakePairs, fakeTask } from '../testing/fakes.ts';
import { halfWidth, type Interval } from './interval.ts';
import {
  isKnownWellEnough,
  morePairsText,
  precisionsOf,
  precisionText,
  type RowPrecision,
  type RowToKnow,
  withinText,
} from './precision.ts';

const TEN_PERCENT: Precision = { value: 10, unit: '%' };

/** Costs in µs around a mean, by a pattern that repeats. */
function costsAround(meanUs: number, deviationUs: number, pairs: number): number[] {
  const pattern = [1, -0.6, 0.2, -1, 0.4];
  return Array.from(
    { length: pairs },
    (_, pair) => meanUs + deviationUs * (pattern[pair % pattern.length] ?? 0),
  );
}

function rowOf(usable: Pair[], pairs = usable.length): RowToKnow {
  return { task: 'default', scenario: 'other', label: 'Other', pairs, usable };
}

/** How well a row is known, alone in its run. */
function precisionOf(row: RowToKnow, within = TEN_PERCENT): RowPrecision {
  const [precision] = precisionsOf([row], { within, leastPairs: 4, mostPairs: 30 });
  return precision as RowPrecision;
}

describe('a cost is known well enough', () => {
  test.each([
    ['within the share of its cost', { value: 10, low: 9, high: 11, baseline: 5 }, true],
    ['not beyond it', { value: 10, low: 8.9, high: 11.1, baseline: 5 }, false],
    [
      'within half the share of the baseline',
      { value: 1, low: 0.5, high: 1.5, baseline: 10 },
      true,
    ],
    [
      'never without an interval',
      { value: 1, low: -Infinity, high: Infinity, baseline: 10 },
      false,
    ],
  ])('%s', (_, cost, isKnown) => {
    expect(isKnownWellEnough(cost, TEN_PERCENT)).toBe(isKnown);
  });
});

describe('a row is known', () => {
  test('from four pairs on, however alike its pairs are', () => {
    const alike = (pairs: number) => rowOf(fakePairs('other', costsAround(30, 0.1, pairs)));
    expect(precisionOf(alike(3))).toMatchObject({ isKnown: false, morePairs: 1 });
    expect(precisionOf(alike(4))).toMatchObject({ isKnown: true, morePairs: 0 });
  });

  test('within a share of its cost, if that is large', () => {
    const { wantedUs, halfWidthUs, isKnown } = precisionOf(
      rowOf(fakePairs('other', costsAround(30, 1, 8))),
    );
    expect(wantedUs).toBeCloseTo(2, 0);
    expect({ isKnown, isNarrow: halfWidthUs <= wantedUs }).toEqual({
      isKnown: true,
      isNarrow: true,
    });
  });

  test('within half that share of the baseline, if it costs next to nothing', () => {
    const { wantedUs, costUs } = precisionOf(rowOf(fakePairs('other', costsAround(10, 0.2, 5))));
    expect(Math.abs(costUs ?? Number.NaN)).toBeLessThan(0.1);
    expect(wantedUs).toBeCloseTo(0.5);
  });

  test('within an amount, or a share of the baseline, whatever it costs', () => {
    const row = rowOf(fakePairs('other', costsAround(30, 1, 5)));
    expect(precisionOf(row, { value: 2, unit: 'us' }).wantedUs).toBe(2);
    expect(precisionOf(row, { value: 1, unit: '% of baseline' }).wantedUs).toBeCloseTo(0.1);
  });

  test('by the interval that is printed, which is wider than that of a fixed number of pairs', () => {
    const pairs = fakePairs('other', costsAround(30, 1, 8));
    const printed = (within: Precision | null) => {
      const { tasks } = fakeAnalysis((result) => {
        result.suite.tasks = [fakeTask('default', ['other'])];
        Object.assign(result.configuration, { within });
      }, pairs);
      return tasks[0]?.rows[0]?.change.cpuUs as Interval;
    };
    const { halfWidthUs } = precisionOf(rowOf(pairs));
    expect(halfWidthUs).toBeCloseTo(halfWidth(printed(TEN_PERCENT)));
    expect(halfWidthUs).toBeGreaterThan(halfWidth(printed(null)));
  });
});

describe('more pairs', () => {
  test('are as many as the interval needs, by the square root of their number', () => {
    const row = precisionOf(rowOf(fakePairs('other', costsAround(12, 2, 6))));
    const needed = Math.ceil(6 * (row.halfWidthUs / row.wantedUs) ** 2);
    expect(row).toMatchObject({ isKnown: false, morePairs: Math.min(needed, 30) - 6 });
    expect(row.morePairs).toBeGreaterThan(1);
  });

  test('end at the most pairs', () => {
    const noisy = (pairs: number) =>
      precisionOf(rowOf(fakePairs('other', costsAround(20, 15, pairs))));
    expect(noisy(29)).toMatchObject({ isKnown: false, morePairs: 1 });
    expect(noisy(30)).toMatchObject({ isKnown: false, morePairs: 0 });
  });

  test('mend no fault and no missing clock: such a row gets the fewest', () => {
    expect(precisionOf(rowOf([], 3))).toMatchObject({ costUs: null, morePairs: 1 });
    expect(precisionOf(rowOf([], 4))).toMatchObject({ isKnown: false, morePairs: 0 });
    const blind = Array.from({ length: 4 }, () => fakePair());
    for (const slice of blind.flatMap(({ duets }) => duets)) slice.scenario.cpuNs = null;
    expect(precisionOf(rowOf(blind))).toMatchObject({ costUs: null, morePairs: 0 });
  });
});

test('a text says how well a row is known, and of what its shares are', () => {
  const row = {
    ...precisionOf(rowOf([], 4)),
    costUs: 20,
    halfWidthUs: 2.8,
    wantedUs: 2,
    baselineUs: 10,
    morePairs: 3,
  };
  expect(precisionText(row, TEN_PERCENT) + morePairsText(row)).toBe(
    '±14 %, wants ±10 %, about 3 more pairs',
  );
  const small = { ...row, costUs: 0.1, halfWidthUs: 0.7, wantedUs: 0.5, morePairs: 0 };
  expect(precisionText(small, TEN_PERCENT) + morePairsText(small)).toBe(
    '±7 % of the baseline, wants ±5 %',
  );
  expect(precisionText(row, { value: 2, unit: 'us' })).toBe('±2.80 µs, wants ±2.00 µs');
  expect(precisionText({ ...row, halfWidthUs: Number.POSITIVE_INFINITY }, TEN_PERCENT)).toBe('');
  expect(withinText({ value: 1, unit: '% of baseline' })).toBe('1 % of the baseline');
});
