import { expect, test } from 'bun:test';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { holdsZero } from './interval.ts';
import { slopeEstimate } from './slope.ts';

const generator = xoroshiro128plus(7);
/** About normal, of deviation 1. */
const noise = () =>
  Array.from({ length: 12 }, () => uniformFloat64(generator)).reduce((sum, each) => sum + each, -6);

/** Values of which each resembles the one before, on a slope. */
function series(slope: number, correlation: number): [number, number][] {
  let deviation = 0;
  return Array.from({ length: 24 }, (_, x) => {
    deviation = correlation * deviation + noise();
    return [x, slope * x + deviation];
  });
}

test('values that resemble their neighbours raise few alarms, and a real slope is found', () => {
  const alarms = (slope: number, correlation: number) =>
    Array.from({ length: 400 }, () => slopeEstimate(series(slope, correlation))).filter(
      (each) => !holdsZero(each),
    ).length / 400;
  expect(alarms(0, 0)).toBeLessThan(0.1);
  expect(alarms(0, 0.5)).toBeLessThan(0.12);
  expect(alarms(1, 0)).toBe(1);
});

test('what is exact has no error, and a drift without end tells nothing', () => {
  const exact = slopeEstimate([0, 1, 2, 3, 4].map((x) => [x, 2 * x]));
  expect(exact.value).toBeCloseTo(2);
  expect(exact.high - exact.low).toBeCloseTo(0);
  const wave = Array.from({ length: 24 }, (_, x): [number, number] => [
    x,
    Math.sin((x / 24) * 2 * Math.PI),
  ]);
  expect(holdsZero(slopeEstimate(wave))).toBe(true);
});
