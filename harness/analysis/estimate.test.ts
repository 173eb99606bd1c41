import { describe, expect, test } from 'bun:test';
import { estimateTasks } from './estimate.ts';
import { meanEstimate } from './mean-estimate.ts';
import type { Sample } from './sample.ts';

/**
 * The differences of R's `sleep` data, whose interval `t.test(extra ~ group, paired = TRUE)` gives.
 */
const SLEEP = [1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4];

/** Samples whose differences are these, beside a baseline that drifts. */
function samplesWith(differences: number[]): Sample[] {
  return differences.map((difference, pair) => {
    const baseline = 10 + pair / 10;
    return { baseline, scenario: baseline + difference };
  });
}

describe('the rows of a task', () => {
  const rows = [samplesWith(SLEEP), null, samplesWith([2, 3, 4])];

  test('have the mean of scenario minus baseline, in their order, and none if not measured', () => {
    const [sleep, missing, other] = estimateTasks([rows], 'mean')[0] ?? [];
    expect(sleep?.value).toBeCloseTo(1.58, 9);
    expect(missing).toBeNull();
    expect(other).toMatchObject({ value: expect.closeTo(3, 9), n: 3 });
    expect(other?.differences.map((each) => each.toFixed(6))).toEqual([
      '2.000000',
      '3.000000',
      '4.000000',
    ]);
  });

  test('have intervals that hold together with those of all rows that were measured', () => {
    const [sleep] = estimateTasks([rows], 'mean')[0] ?? [];
    expect(sleep?.low).toBeCloseTo(meanEstimate(SLEEP, 2).low, 9);
    expect(sleep?.high).toBeCloseTo(meanEstimate(SLEEP, 2).high, 9);
  });
});
