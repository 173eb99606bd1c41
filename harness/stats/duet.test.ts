import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { randomSource } from '../measure/order.ts';
import type { DuetFork } from '../results/schema.ts';
import { fakeDuetFork, fakeResult } from '../testing/fakes.ts';
import { syntheticForks, type Weather } from '../testing/synthetic.ts';
import { duetSummary, isSignificant, noiseFloorUs, ratioEstimate, smallestSeenUs } from './duet.ts';
import { contains, halfWidth } from './interval.ts';

const CALM: Weather = { ratio: 1.1, betweenForks: 0, betweenSlices: 0.01, drift: 0, bursts: 0 };

/** Share of simulated runs whose 95 % interval contains the true ratio. */
function coverage(weather: Weather, forks: number, slices: number): number {
  const random = randomSource(2026);
  const runs = 1_000;
  let covered = 0;
  for (let run = 0; run < runs; run++) {
    const { interval } = ratioEstimate(syntheticForks(forks, slices, weather, random));
    if (interval && contains(interval, weather.ratio)) covered += 1;
  }
  return covered / runs;
}

describe('a nominal 95 % interval covers the truth in 92 to 98 % of 1,000 simulated runs', () => {
  const weathers: [string, Weather][] = [
    ['on a calm machine', CALM],
    ['with drift', { ...CALM, drift: 0.1 }],
    ['with bursts', { ...CALM, bursts: 0.1 }],
    ['with forks that differ a little', { ...CALM, betweenForks: 0.003 }],
    ['with forks that differ much', { ...CALM, betweenForks: 0.02 }],
    [
      'with all of it, and no difference',
      { ratio: 1, betweenForks: 0.005, betweenSlices: 0.01, drift: 0.1, bursts: 0.1 },
    ],
  ];
  test.each(weathers)('%s', (_, weather) => {
    for (const [forks, slices] of [
      [3, 10],
      [5, 2],
      [10, 3],
    ] as const) {
      const share = coverage(weather, forks, slices);
      expect(share).toBeGreaterThanOrEqual(0.92);
      expect(share).toBeLessThanOrEqual(0.98);
    }
  });
});

describe('the ratio', () => {
  const forks = fc.array(
    fc.record({
      speed: fc.double({ min: 0.2, max: 5, noNaN: true }),
      ratio: fc.double({ min: 0.5, max: 4, noNaN: true }),
    }),
    { minLength: 3, maxLength: 12 },
  );
  const fork = (speed: number, ratio: number) => ({
    slices: [
      {
        baseline: { cpuNs: 5e8, load: { requests: 5e8 / (20_000 * speed) } },
        scenario: { cpuNs: 5e8, load: { requests: 5e8 / (20_000 * speed * ratio) } },
      },
    ],
  });

  test('is the same on a machine of any speed', () => {
    fc.assert(
      fc.property(forks, fc.double({ min: 0.5, max: 4, noNaN: true }), (all, ratio) => {
        expect(ratioEstimate(all.map(({ speed }) => fork(speed, ratio))).ratio).toBeCloseTo(ratio, 9);
      }),
    );
  });

  test('lies in its interval, and turns over when the sides are exchanged', () => {
    fc.assert(
      fc.property(forks, (all) => {
        const sides = all.map(({ speed, ratio }) => fork(speed, ratio));
        const exchanged = sides.map(({ slices }) => ({
          slices: slices.map(({ baseline, scenario }) => ({ baseline: scenario, scenario: baseline })),
        }));
        const { ratio, interval } = ratioEstimate(sides);
        const inverse = ratioEstimate(exchanged);
        if (!interval || !inverse.interval) throw new Error('no interval');
        expect(interval.low).toBeLessThanOrEqual(ratio * (1 + 1e-12));
        expect(interval.high).toBeGreaterThanOrEqual(ratio * (1 - 1e-12));
        expect(inverse.ratio).toBeCloseTo(1 / ratio, 9);
        expect(1 / inverse.interval.high / interval.low).toBeCloseTo(1, 9);
      }),
    );
  });

  test('has no interval from fewer than three forks', () => {
    expect(ratioEstimate([fork(1, 1.2), fork(1, 1.3)]).interval).toBeUndefined();
  });
});

describe('the summary of a result', () => {
  const forks = (scenario: string, costsUs: number[], baselineUs = 10): DuetFork[] =>
    costsUs.map((costUs) => fakeDuetFork(scenario, baselineUs, costUs));
  const summaryOf = (duetForks: DuetFork[]) => duetSummary({ ...fakeResult([]), duetForks });

  test('ns and requests become µs a request, at the cost of the baseline in this run', () => {
    const { baselineUs, rows } = summaryOf([...forks('base', [10, 10, 10]), ...forks('other', [12, 12, 12])]);
    expect(baselineUs).toBeCloseTo(10, 9);
    expect(rows.map(({ scenario }) => scenario)).toEqual(['other']);
    expect(rows[0]?.estimate).toMatchObject({ forks: 3, slices: 6 });
    expect(rows[0]?.estimate?.ratio).toBeCloseTo(1.2, 9);
    expect(rows[0]?.estimate?.changeUs).toBeCloseTo(2, 9);
  });

  test('no row claims a difference below the noise floor', () => {
    const { rows, noiseFloor } = summaryOf([
      ...forks('base', [9.9, 10.1, 10.3]),
      ...forks('other', [10.1, 10.11, 10.12]),
    ]);
    const estimate = rows[0]?.estimate;
    if (!estimate?.changeUsInterval) throw new Error('no estimate');
    const floorUs = noiseFloorUs(noiseFloor);
    expect(estimate.changeUsInterval.low).toBeGreaterThan(0);
    expect(floorUs).toBeGreaterThan(0.3);
    expect(isSignificant(estimate, floorUs)).toBe(false);
    expect(isSignificant(estimate, 0)).toBe(true);
    expect(smallestSeenUs(estimate, floorUs)).toBe(floorUs);
    expect(smallestSeenUs(estimate, 0)).toBe(halfWidth(estimate.changeUsInterval));
  });

  test('one invalid fork makes the row invalid, and nothing else', () => {
    const broken = fakeDuetFork('other', 10, 1);
    broken.invalid = ['slice 1: other: no request was answered'];
    const { baselineUs, rows, noiseFloor } = summaryOf([
      ...forks('base', [10, 10, 10]),
      ...forks('other', [12, 12]),
      broken,
    ]);
    expect(rows[0]).toEqual({
      scenario: 'other',
      invalid: ['duet 3: slice 1: other: no request was answered'],
      estimate: undefined,
    });
    expect(baselineUs).toBeCloseTo(10, 9);
    expect(noiseFloor.estimate?.ratio).toBeCloseTo(1, 9);
  });

  test('without duets there is nothing', () => {
    expect(summaryOf([])).toMatchObject({
      baselineUs: undefined,
      noiseFloor: { estimate: undefined, invalid: [] },
    });
  });
});
