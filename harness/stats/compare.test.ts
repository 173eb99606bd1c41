import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Result } from '../results/schema.ts';
import { fakeDuetFork, fakeMeasurement, fakeResult } from '../testing/fakes.ts';
import { differences } from './comparable.ts';
import { compareResults, differenceInterval, isAbove } from './compare.ts';

/** Duets of the scenario `other`, one for each cost in µs, against a baseline of so many. */
function duets(costsUs: number[], baselineUs = 10): Result {
  return { ...fakeResult([]), duetForks: costsUs.map((costUs) => fakeDuetFork('other', baselineUs, costUs)) };
}

/** Rounds in which the baseline takes 1 ms and `other` these. */
function rounds(latenciesUs: number[]): Result {
  return fakeResult(latenciesUs.map((us) => [fakeMeasurement('base', 1_000), fakeMeasurement('other', us)]));
}

const only = (old: Result, current: Result) =>
  compareResults(old, current)[0] as ReturnType<typeof compareResults>[0];

test("Welch's interval is that of R's t.test(extra ~ group, data = sleep)", () => {
  const first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2];
  const second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
  const interval = differenceInterval(first, second);
  expect(interval?.low).toBeCloseTo(-0.2054832, 6);
  expect(interval?.high).toBeCloseTo(3.3654832, 6);
  expect(differenceInterval([1, 2], first)).toBeUndefined();
});

describe('by duets', () => {
  test('the change of the cost, in µs at the old baseline and relative to the scenario', () => {
    const { cost } = only(duets([11.9, 12, 12.1]), duets([14.9, 15, 15.1]));
    expect(cost).toMatchObject({ by: 'cpu', verdict: 'worse' });
    expect(cost?.oldUs).toBeCloseTo(2, 2);
    expect(cost?.newUs).toBeCloseTo(5, 2);
    expect(cost?.changeUs).toBeCloseTo(3, 2);
    expect(cost?.relative).toBeCloseTo(0.25, 3);
    expect(cost?.relativeInterval?.low).toBeGreaterThan(0.2);
  });

  test('a machine of another speed changes nothing', () => {
    const { cost } = only(duets([11.9, 12, 12.1]), duets([23.8, 24, 24.2], 20));
    expect(cost?.changeUs).toBeCloseTo(0, 9);
    expect(cost?.verdict).toBe('~');
  });

  test('exchanged, better becomes worse', () => {
    const costs = fc.array(fc.double({ min: 5, max: 50, noNaN: true }), { minLength: 3, maxLength: 8 });
    const mirrored = { better: 'worse', worse: 'better', '~': '~' };
    fc.assert(
      fc.property(costs, costs, (a, b) => {
        const there = only(duets(a), duets(b)).cost;
        const back = only(duets(b), duets(a)).cost;
        if (!there?.verdict || !there.relativeInterval || !back?.relativeInterval)
          throw new Error('no verdict');
        expect(back.verdict).toBe(mirrored[there.verdict] as typeof back.verdict);
        expect((1 + there.relativeInterval.low) * (1 + back.relativeInterval.high)).toBeCloseTo(1, 9);
      }),
    );
  });

  test('what lies below the noise floor of either result is no change', () => {
    const noisy = duets([12.3, 12.3, 12.3]);
    noisy.duetForks.push(...[8, 10, 12].map((costUs) => fakeDuetFork('base', 10, costUs)));
    expect(only(duets([12, 12, 12]), noisy).cost?.verdict).toBe('~');
    expect(only(duets([12, 12, 12]), duets([12.3, 12.3, 12.3])).cost?.verdict).toBe('worse');
  });
});

test('task by task, where a suite has several', () => {
  const result = (costsUs: [number, number]) => {
    const whole = { ...fakeResult([]), duetForks: [] as Result['duetForks'] };
    whole.suite.tasks = ['a', 'b'].map((name) => ({
      name,
      title: name,
      baseline: 'base',
      scenarios: ['base', 'other'],
      requests: [],
      bodyBytes: null,
    }));
    for (const [index, task] of ['a', 'b'].entries())
      for (const factor of [0.99, 1, 1.01])
        whole.duetForks.push({ ...fakeDuetFork('other', 10, (costsUs[index] as number) * factor), task });
    return whole;
  };
  const rows = compareResults(result([12, 20]), result([12, 30]));
  expect(rows.map(({ task, cost }) => [task, cost?.verdict])).toEqual([
    ['a', '~'],
    ['b', 'worse'],
  ]);
});

test('without duets by rounds, in µs of latency', () => {
  const { cost } = only(rounds([1_990, 2_000, 2_010]), rounds([1_490, 1_500, 1_510]));
  expect(cost).toMatchObject({ by: 'latency', verdict: 'better' });
  expect(cost?.changeUs).toBeCloseTo(-500, 0);
});

describe('the limit', () => {
  const isFailing = (newUs: number[], value: number, unit: 'us' | '%') =>
    isAbove(only(duets([12, 12, 12]), duets(newUs)), { value, unit });

  test('fails only where the interval lies wholly above it', () => {
    expect(isFailing([13.9, 14, 14.1], 1, 'us')).toBe(true);
    expect(isFailing([13.9, 14, 14.1], 10, '%')).toBe(true);
    expect(isFailing([13.9, 14, 14.1], 20, '%')).toBe(false);
    expect(isFailing([12.1, 14, 15.9], 1, 'us')).toBe(false);
    expect(isFailing([9.9, 10, 10.1], 0, '%')).toBe(false);
  });

  test('and never without an interval', () => {
    const comparison = only(duets([12, 12]), duets([24, 24]));
    expect(comparison.cost?.verdict).toBeUndefined();
    expect(isAbove(comparison, { value: 0, unit: '%' })).toBe(false);
  });
});

test('what is missing is said, and no figure made up', () => {
  const broken = duets([12, 12, 12]);
  broken.duetForks[0]?.invalid.push('7 x status 5xx');
  expect(only(duets([12, 12, 12]), broken)).toMatchObject({
    cost: null,
    missing: 'no valid duets in the new result',
  });
  expect(only(fakeResult([]), duets([12, 12, 12]))).toMatchObject({
    missing: 'no valid rounds in the old result',
  });
  expect(only(rounds([1, 1, 1]), duets([12, 12, 12])).missing).toBe('no valid rounds in the new result');
  const less = duets([12, 12, 12]);
  less.suite.scenarios.pop();
  expect(only(duets([12, 12, 12]), less)).toMatchObject({ cost: null, missing: 'not in the new result' });
});

test('results of another machine, tool, version or load are told apart; another commit is what a comparison is for', () => {
  const changed = (change: (result: Result) => void) => {
    const result = duets([12]);
    change(result);
    return differences(duets([12]), result);
  };
  expect(changed(({ environment }) => Object.assign(environment, { gitRevision: 'def' }))).toEqual([]);
  const changes: [(result: Result) => void, string][] = [
    [({ environment }) => Object.assign(environment, { cpu: 'Other' }), 'machine: Test CPU'],
    [({ environment }) => Object.assign(environment.runtime, { version: '1.5.0' }), 'runtime: bun 1.4.5'],
    [
      ({ environment }) => Object.assign(environment.packages, { hono: '5.0.0' }),
      'package hono: 4.13.19 / 5.0.0',
    ],
    [({ environment }) => Object.assign(environment, { packages: {} }), 'package hono: 4.13.19 / none'],
    [({ tool }) => Object.assign(tool, { name: 'wrk' }), 'load tool: bombardier'],
    [({ suite }) => Object.assign(suite, { name: 'another' }), 'suite: fake / another'],
    [({ configuration }) => Object.assign(configuration, { connections: 50 }), 'connections: 100 / 50'],
    [({ suite }) => suite.scenarios[1]?.command.push('--fast'), 'command of other'],
  ];
  for (const [change, words] of changes) expect(changed(change)).toEqual([expect.stringContaining(words)]);
});
