import { expect, test } from 'bun:test';
import { contains, halfWidth, mapInterval, meanInterval } from './interval.ts';

test("is Student's: against the tables", () => {
  // t(0.975, 2) = 4.303; mean 2, standard deviation 1.
  const interval = meanInterval([1, 2, 3]);
  expect(interval?.low).toBeCloseTo(2 - 4.3027 / Math.sqrt(3), 3);
  expect(interval?.high).toBeCloseTo(2 + 4.3027 / Math.sqrt(3), 3);
  // t(0.975, 9) = 2.262.
  const ten = meanInterval([1, 1, 1, 1, 1, 3, 3, 3, 3, 3]);
  expect(ten && halfWidth(ten)).toBeCloseTo((2.2622 * Math.sqrt(10 / 9)) / Math.sqrt(10), 3);
});

test('two values make none', () => {
  expect(meanInterval([1, 2])).toBeUndefined();
  expect(meanInterval([])).toBeUndefined();
});

test('values that are all the same leave no doubt', () => {
  expect(meanInterval([5, 5, 5])).toEqual({ low: 5, high: 5 });
});

test('both ends belong to it', () => {
  expect([contains({ low: -1, high: 0 }, 0), contains({ low: -1, high: 0 }, 0.1)]).toEqual([true, false]);
  expect(mapInterval({ low: 1, high: 2 }, (value) => value * 10)).toEqual({ low: 10, high: 20 });
});
