import { describe, expect, test } from 'bun:test';
import { mean } from 'simple-statistics';
import { adjustRun, type RunRow, type Slope } from './ancova.ts';
import { changeBetweenRows, changeBetweenRuns, multipleOf } from './compare-estimates.ts';
import { halfWidth, isBounded } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import type { Sample } from './sample.ts';

const SPEEDS = [8, 9, 10, 11, 12];
const ERRORS = [0.1, -0.2, 0.2, -0.2, 0.1];

/** Pairs whose cost of 10 at a baseline of 10 follows the baseline with this slope. */
function samplesWith(slope: number, cost = 10, errors = ERRORS): Sample[] {
  return SPEEDS.map((baseline, at) => ({
    baseline,
    scenario: baseline + cost * (1 + slope * (baseline / 10 - 1)) + (errors[at] ?? 0),
  }));
}

function row(samples: Sample[] | null, task = 'task'): RunRow {
  return { task, samples };
}

function estimatesOf(rows: RunRow[]): Estimate[] {
  return adjustRun(rows).estimates.filter((each) => each !== null);
}

function only(rows: RunRow[]): Estimate {
  return estimatesOf(rows)[0] as Estimate;
}

/** Of a run with one task. */
function slopeOf(rows: RunRow[]): Slope {
  return adjustRun(rows).slopes.get('task') as Slope;
}

/** The variance of the errors of a row at its run's mean speed, as a share of its total squared. */
function errorVarianceOf({ standardError, n, value, baseline }: Estimate): number {
  return (standardError ** 2 * n) / (baseline + value) ** 2;
}

function scaled(samples: Sample[], factor: number): Sample[] {
  return samples.map(({ baseline, scenario }) => ({
    baseline: baseline * factor,
    scenario: scenario * factor,
  }));
}

describe('the slope of a run', () => {
  test('is found where pairs tell it', () => {
    const slope = (g: number) => slopeOf([row(samplesWith(g)), row(samplesWith(g))]).value;
    expect(slope(0.3)).toBeCloseTo(0.3, 1);
    expect(slope(1)).toBeCloseTo(1, 2);
    expect(slope(1.6)).toBeCloseTo(1.6, 1);
  });

  test('is 1 with the deviation 0.4 where the machine stood still', () => {
    const still = ERRORS.map((error) => ({ baseline: 10, scenario: 20 + error }));
    const slope = slopeOf([row(still)]);
    expect(slope.value).toBeCloseTo(1, 10);
    expect(slope.variance).toBeCloseTo(0.16, 10);
  });

  test('of one task is (Σ p y + k) / (Σ p² + k), and its variance v / (Σ p² + k)', () => {
    // Exactly one half of the least squares: Σ p² = (1/2)² × 0.1 = 0.025, at the slope 0.
    const rows = [row(samplesWith(0))];
    const slope = slopeOf(rows);
    const variance = errorVarianceOf(only(rows));
    const k = variance / 0.16;
    expect(slope.value).toBeCloseTo(k / (0.025 + k), 4);
    expect(slope.variance).toBeCloseTo(variance / (0.025 + k), 7);
  });

  test('of a task that tells little is drawn to that of the others', () => {
    const lonely = SPEEDS.slice(0, 2).map((baseline, at) => ({ baseline, scenario: 20 + at }));
    const steep = [1, 2, 3].map((task) => row(samplesWith(1.6), `steep ${task}`));
    const { slope, slopes } = adjustRun([...steep, row(lonely, 'lonely')]);
    expect(slope.value).toBeGreaterThan(1.3);
    expect(slopes.get('lonely')?.value).toBeGreaterThan(1.1);
  });
});

describe('the cost of a row', () => {
  test('is the mean of differences where its speed was that of the run', () => {
    const samples = samplesWith(1);
    const cost = mean(samples.map(({ baseline, scenario }) => scenario - baseline));
    expect(only([row(samples)]).value).toBeCloseTo(cost, 10);
  });

  test('is moved to the speed of the run: by ratios with the slope 1', () => {
    const still = (baseline: number) => SPEEDS.map(() => ({ baseline, scenario: 2 * baseline }));
    const costs = estimatesOf([row(still(9)), row(still(11))]).map(({ value }) => value);
    // B = 10: 9 × (1 + 0.1) and 11 × (1 - 0.1), to the first order in the slowness.
    expect(costs[0]).toBeCloseTo(9.9, 6);
    expect(costs[1]).toBeCloseTo(9.9, 6);
  });

  test('scales with its unit', () => {
    const rows = [samplesWith(0.7), samplesWith(0.7, 20), samplesWith(0.7, 0.1)];
    const inUs = estimatesOf(rows.map((each) => row(each)));
    const inNs = estimatesOf(rows.map((each) => row(scaled(each, 1000))));
    inUs.forEach((estimate, at) => {
      expect((inNs[at]?.value ?? 0) / 1000).toBeCloseTo(estimate.value, 8);
      expect((inNs[at]?.high ?? 0) / 1000).toBeCloseTo(estimate.high, 8);
    });
  });

  test('has an interval that is narrower than by Student where the speed changed', () => {
    const estimate = only([row(samplesWith(1))]);
    // Student's t of the differences: 2.776 × 1.6 / √5.
    expect(halfWidth(estimate)).toBeLessThan(0.5);
  });

  test("is as wide as the errors at its own rate, which rows at another don't share", () => {
    const atRate = (rate: number | null, errors: number[], task: string) =>
      Array.from({ length: 4 }, () =>
        row(
          samplesWith(1, 10, errors).map((sample) => ({ ...sample, rate })),
          task,
        ),
      );
    const largeErrors = ERRORS.map((error) => 10 * error);
    const calm = atRate(null, ERRORS, 'full load');
    const widthBeside = (others: RunRow[]) => halfWidth(only([...calm, ...others]));
    const alone = widthBeside([]);
    expect(widthBeside(atRate(100, largeErrors, 'slow'))).toBeLessThan(1.2 * alone);
    expect(widthBeside(atRate(null, largeErrors, 'slow'))).toBeGreaterThan(2 * alone);
    // A single row at a rate tells nothing but of itself.
    const [lonely] = atRate(100, largeErrors, 'slow');
    expect(widthBeside([lonely as RunRow])).toBeLessThan(1.2 * alone);
  });

  test('is as wide as the errors in slices of its kind', () => {
    const inSlices = (slices: 'duets' | 'alternating', errors: number[]) =>
      Array.from({ length: 4 }, () =>
        row(samplesWith(1, 10, errors).map((sample) => ({ ...sample, rate: 100, slices }))),
      );
    const calm = inSlices('duets', ERRORS);
    const noisy = inSlices(
      'alternating',
      ERRORS.map((error) => 10 * error),
    );
    const [alone] = estimatesOf(calm);
    const [beside] = estimatesOf([...calm, ...noisy]);
    expect(halfWidth(beside as Estimate)).toBeLessThan(1.3 * halfWidth(alone as Estimate));
  });

  test('of an only row has n - 1 - h degrees of freedom', () => {
    const rows = [row(samplesWith(1))];
    const estimate = only(rows);
    const share = (0.025 * slopeOf(rows).variance) / errorVarianceOf(estimate);
    expect(estimate.degreesOfFreedom).toBeCloseTo(4 - share, 3);
  });

  test('among many rows has those of its own and 4 of the others, or 3 if it is small', () => {
    const notable = Array.from({ length: 40 }, () => row(samplesWith(1)));
    const small = Array.from({ length: 40 }, () => row(samplesWith(1, 0)));
    const estimates = estimatesOf([...notable, ...small]);
    expect(estimates[0]?.degreesOfFreedom).toBeCloseTo(8, 1);
    expect(estimates[40]?.degreesOfFreedom).toBeCloseTo(7, 1);
  });
});

describe('rows that hardly can be analysed', () => {
  test('one pair has no interval, and takes none from the others', () => {
    const [single, other] = estimatesOf([row(samplesWith(1).slice(0, 1)), row(samplesWith(1))]);
    expect(single?.value).toBeFinite();
    expect(isBounded(single as Estimate)).toBe(false);
    expect(isBounded(other as Estimate)).toBe(true);
  });

  test('two pairs of an only row have an interval, if a wide one', () => {
    const estimate = only([row(samplesWith(1).slice(0, 2))]);
    expect(estimate.value).toBeFinite();
    expect(Number.isNaN(estimate.low)).toBe(false);
  });

  test('two pairs of an only row tell no slope: they lie on a line, whatever it is', () => {
    const { value, variance } = slopeOf([row(samplesWith(0.7).slice(0, 2))]);
    expect(value).toBeCloseTo(1);
    expect(variance).toBeCloseTo(0.16);
  });

  test('nor do two pairs in each of two tasks, which have a slope each', () => {
    const twoPairs = samplesWith(0.7).slice(0, 2);
    const { slope, estimates } = adjustRun([row(twoPairs, 'a'), row(twoPairs, 'b')]);
    expect(slope.value).toBeCloseTo(1);
    for (const estimate of estimates) expect(estimate?.low).toBeFinite();
  });

  test('a row that was not measured, or not in all pairs, has no estimate', () => {
    const holed = [...samplesWith(1), { baseline: 10, scenario: Number.NaN }];
    expect(adjustRun([row(null), row([]), row(holed)]).estimates).toEqual([null, null, null]);
    expect(adjustRun([]).estimates).toEqual([]);
  });

  test.each([
    ['cost nothing', samplesWith(1, 0)],
    ['cost less than nothing', samplesWith(1, -5)],
    ['take nothing', SPEEDS.map((baseline) => ({ baseline, scenario: 0 }))],
    ['have a baseline of nothing', SPEEDS.map((scenario) => ({ baseline: 0, scenario }))],
    ['are all zero', SPEEDS.map(() => ({ baseline: 0, scenario: 0 }))],
    ['are the baseline itself', SPEEDS.map((baseline) => ({ baseline, scenario: baseline }))],
  ])('those that %s have finite figures', (_, samples) => {
    const { value, low, high } = only([row(samples)]);
    expect([value, low, high].every(Number.isFinite)).toBe(true);
  });
});

describe('comparisons', () => {
  test('of two rows of a run count what their slope brings once', () => {
    const slow = samplesWith(1).slice(2);
    const run = adjustRun([row(slow), row(slow), row(samplesWith(1).slice(0, 3))]);
    const [one, two, three] = run.estimates as [Estimate, Estimate, Estimate];
    expect(one.sharedError * two.sharedError).toBeGreaterThan(0);
    expect(one.sharedError * three.sharedError).toBeLessThan(0);
    // Rows alike have the same error by the slope, so that only their own ones are left.
    const own = Math.sqrt(2 * (one.standardError ** 2 - one.sharedError ** 2));
    const { value, high } = changeBetweenRows(one, two, 1);
    expect(value).toBe(0);
    expect(high / own).toBeLessThan(3.2);
  });

  test('of two runs count the errors of their speeds', () => {
    const estimate = only([row([9, 10, 11].map((baseline) => ({ baseline, scenario: 20 })))]);
    const exact = { ...estimate, standardError: 0 };
    // A cost with the slope g moves by g of it with the speed, whose batch means are 0.9, 1, 1.1.
    const slope = slopeOf([row([9, 10, 11].map((baseline) => ({ baseline, scenario: 20 })))]);
    const speedError = (slope.value * estimate.value * 0.1) / Math.sqrt(3);
    expect(estimate.speedError).toBeCloseTo(Math.abs(speedError), 9);
    // Two equal parts with 2 degrees of freedom each have 4: 2.776.
    const { high } = changeBetweenRuns(exact, exact, 1);
    expect(high).toBeCloseTo(2.776 * Math.SQRT2 * Math.abs(speedError), 3);
  });

  test('speeds are not compared between slices of two kinds', () => {
    const duets = samplesWith(1).map((sample) => ({ ...sample, slices: 'duets' as const }));
    const turns = scaled(samplesWith(1), 0.8).map((each) => ({
      ...each,
      slices: 'turns' as const,
    }));
    const [inDuets, inTurns] = estimatesOf([row(duets), row(turns)]);
    expect(inDuets?.baseline).toBeCloseTo(10, 9);
    expect(inTurns?.baseline).toBeCloseTo(8, 9);
    expect(inTurns?.value).toBeCloseTo(0.8 * (inDuets?.value ?? 0), 1);
  });

  test('a multiple of the baseline is that of the cost beside it', () => {
    const estimate = only([row(samplesWith(1))]);
    const multiple = multipleOf(estimate);
    expect(multiple.value).toBeCloseTo(2, 10);
    expect(halfWidth(multiple)).toBeCloseTo(halfWidth(estimate) / 10, 10);
  });
});
