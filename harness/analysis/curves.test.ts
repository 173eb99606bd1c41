import { describe, expect, test } from 'bun:test';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { costsAround, fakeExported, fakePairs, fakeSweep } from '../testing/fakes.ts';
import { fitLine } from './curves.ts';
import { meanEstimate } from './mean-estimate.ts';

const VALUES = [0, 1, 2, 5, 10, 20];
const at = (value: number, ...differences: number[]) => ({
  value,
  cost: meanEstimate(differences),
});

test('costs on a line give that line', () => {
  const { fixed, slope, misfit } = fitLine(
    VALUES.map((value) => at(value, ...Array(3).fill(3 + 0.5 * value))),
  );
  expect(fixed.value).toBeCloseTo(3, 9);
  expect(slope.value).toBeCloseTo(0.5, 9);
  expect(misfit).toBeNull();
});

test('a single pair at each value: a line without intervals', () => {
  const { fixed, slope, misfit } = fitLine([at(0, 1), at(1, 2), at(2, 3)]);
  expect(misfit).toBeUndefined();
  expect(fitLine([at(0, 1, 1), at(1, 2, 2), at(2, 3, 3)]).misfit).toBeUndefined();
  expect(slope.value).toBeCloseTo(1, 9);
  expect(fixed).toMatchObject({ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY });
});

test('where costs lie off the line', () => {
  const steps = [at(0, 0.9, 1, 1.1), at(1, 3.9, 4, 4.1), at(2, 3.9, 4, 4.1), at(3, 3.9, 4, 4.1)];
  expect(fitLine(steps).misfit).toBe(1);
});

describe('of made-up pairs whose noise grows with the cost', () => {
  const generator = xoroshiro128plus(7);
  const random = () => uniformFloat64(generator);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const points = (pairs: number) =>
    VALUES.map((value) => {
      const cost = 2 + 0.4 * value;
      return at(value, ...Array.from({ length: pairs }, () => cost + 0.08 * cost * normal()));
    });

  test.each([4, 10])(
    'both intervals hold the truth with 95 %, with %d pairs at each value',
    (pairs) => {
      const fits = Array.from({ length: 1_000 }, () => fitLine(points(pairs)));
      const held = fits.filter(
        ({ fixed, slope }) =>
          fixed.low <= 2 && fixed.high >= 2 && slope.low <= 0.4 && slope.high >= 0.4,
      );
      expect(held.length / fits.length).toBeGreaterThan(0.93);
      const misfits = fits.filter(({ misfit }) => misfit !== null);
      expect(misfits.length / fits.length).toBeLessThan(0.06);
    },
  );
});

test('where no line fits costs of a result', () => {
  const costs = { 0: 12, 1: 19, 2: 14, 5: 17 };
  const pairs = Object.entries(costs).flatMap(([value, us]) =>
    fakePairs(`spans-${value}`, [us - 0.1, us, us + 0.1]),
  );
  const { curves } = fakeAnalysis(fakeSweep('spans', Object.keys(costs).map(Number)), pairs);
  expect(curves.map(({ quantity, misfit }) => `${quantity} ${misfit}`)).toEqual([
    'cpuUs 1',
    'latencyUs 1',
  ]);
});

test('a line leaves out costs that read too low, because spans were lost', () => {
  const lossy = fakePairs('spans-20', [9.9, 10, 10.1]).map((pair) => ({
    ...pair,
    exported: { ...pair.exported, scenario: fakeExported(100, 90) },
  }));
  const pairs = [0, 1, 2].flatMap((value) => fakePairs(`spans-${value}`, costsAround(12 + value)));
  const sweep = fakeSweep('spans', [0, 1, 2, 20]);
  const [curve] = fakeAnalysis(sweep, [...pairs, ...lossy]).curves;
  expect(curve).toMatchObject({ leftOut: [20], misfit: null });
  expect(curve?.slope.value).toBeCloseTo(1, 2);
  // Two values are no line.
  const few = pairs.filter(({ scenario }) => scenario !== 'spans-2');
  expect(fakeAnalysis(sweep, [...few, ...lossy]).curves).toEqual([]);
});
