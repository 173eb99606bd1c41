import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  changeBetweenRows,
  changeBetweenRuns,
  distanceAmong,
  intervalAmong,
  welch,
} from './compare-estimates.ts';
import { halfWidth, holdsZero } from './interval.ts';
import { meanEstimate } from './mean-estimate.ts';

/**
 * The differences of R's `sleep` data, whose interval `t.test(extra ~ group, paired = TRUE)` gives.
 */
const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];

describe('an interval that is made anew from an estimate', () => {
  const estimate = meanEstimate(SLEEP, 7);

  test('is that of the same values among another number of rows', () => {
    const { value, low, high } = meanEstimate(SLEEP, 3);
    expect(intervalAmong(3, estimate)).toEqual({ value, low, high });
  });

  test('is as wide around the distance from a reference', () => {
    const distance = distanceAmong(3, estimate, 1);
    expect(distance.value).toBeCloseTo(0.58, 9);
    expect(halfWidth(distance)).toBeCloseTo(halfWidth(intervalAmong(3, estimate)), 9);
  });

  test("is Welch's between two rows, and between two runs", () => {
    const other = meanEstimate([2, 3, 4]);
    expect(changeBetweenRows(estimate, other, 2)).toEqual(welch(estimate, other, 2));
    expect(changeBetweenRuns(estimate, other, 2)).toEqual(welch(estimate, other, 2));
  });

  test('is infinite if one of the two is of a single pair', () => {
    expect(welch(estimate, meanEstimate([3]), 1)).toMatchObject({ low: -Infinity, high: Infinity });
  });
});

test("Welch's interval is that of R's t.test(extra ~ group, data = sleep)", () => {
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
  const { value, low, high } = welch(meanEstimate(first), meanEstimate(second), 1);
  expect(value).toBeCloseTo(1.58, 9);
  expect(low).toBeCloseTo(-0.2054832, 6);
  expect(high).toBeCloseTo(3.3654832, 6);
});

describe('an estimate', () => {
  test("of one row is that of R's paired t.test", () => {
    const { value, low, high, n, standardError } = meanEstimate(SLEEP);
    expect(value).toBeCloseTo(1.58, 9);
    expect(low).toBeCloseTo(0.7001142, 6);
    expect(high).toBeCloseTo(2.4598858, 6);
    expect(n).toBe(10);
    expect(standardError).toBeCloseTo(0.3889587, 6);
  });

  test('of several rows is at the level at which all of them hold together', () => {
    const { standardError } = meanEstimate(SLEEP, 5);
    // Student's t of 9 degrees of freedom at the level 0.95^(1/5), computed from its density.
    expect(halfWidth(meanEstimate(SLEEP, 5)) / standardError).toBeCloseTo(3.2370827, 6);
    expect(halfWidth(meanEstimate(SLEEP, 5))).toBeGreaterThan(halfWidth(meanEstimate(SLEEP, 1)));
  });

  test.each([
    ['two pairs', [1, 3], Math.tan(Math.PI * 0.475)],
    ['three pairs', [1, 2, 3], 0.95 * Math.sqrt(2 / (1 - 0.95 ** 2))],
  ])('of %s has the factor of the closed form', (_, differences, factor) => {
    const found = meanEstimate(differences);
    expect(halfWidth(found) / found.standardError).toBeCloseTo(factor, 10);
  });

  test('of a single pair says nothing', () => {
    const single = meanEstimate([3]);
    expect(single).toMatchObject({ value: 3, low: -Infinity, high: Infinity, n: 1 });
    expect(halfWidth(single)).toBe(Infinity);
    expect(holdsZero(single)).toBe(true);
  });

  test('of values that are all the same is certain', () => {
    expect(meanEstimate([2, 2, 2])).toMatchObject({ value: 2, low: 2, high: 2, standardError: 0 });
  });

  test('moves with its values, and turns around with them', () => {
    const values = fc.array(fc.integer({ min: -1_000, max: 1_000 }), {
      minLength: 2,
      maxLength: 12,
    });
    fc.assert(
      fc.property(values, fc.integer({ min: -100, max: 100 }), (differences, shift) => {
        const changed = (by: (each: number) => number) => meanEstimate(differences.map(by), 3);
        const { low, high } = meanEstimate(differences, 3);
        expect(changed((each) => each + shift).low).toBeCloseTo(low + shift, 6);
        expect(changed((each) => -each).low).toBeCloseTo(-high, 6);
      }),
    );
  });
});
