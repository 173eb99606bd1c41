import { describe, expect, test } from 'bun:test';
import type { Pair, Result } from '../result/schema.ts';
import {
  cleanPairs,
  fakeFault,
  fakePair,
  fakePairs,
  fakeResult,
  fakeTask,
} from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { intervalAmong } from './compare-estimates.ts';
import { holdsZero } from './interval.ts';
import { type Row, rowsWithNoiseFloor, type TaskAnalysis } from './rows.ts';

function setTrueCost(usage: Pair['usage'], baselineUs: number, scenarioUs: number): void {
  Object.assign(usage.baseline.probe ?? {}, { trueCostUs: baselineUs });
  Object.assign(usage.scenario.probe ?? {}, { trueCostUs: scenarioUs });
}

function taskOf(result: Result, index = 0): TaskAnalysis {
  return analyse(result).tasks[index] as TaskAnalysis;
}

function rowOf(result: Result): Row {
  return taskOf(result).rows[0] as Row;
}

describe('a row', () => {
  test('has the mean of its pairs for each quantity', () => {
    const { change, ...row } = rowOf(fakeResult());
    expect(row).toMatchObject({
      task: 'default',
      title: 'Other',
      scenario: 'other',
      faults: [],
      leftOut: { count: 0 },
    });
    expect(row.pairs).toHaveLength(5);
    expect(change.cpuUs?.value).toBeCloseTo(2, 9);
    expect(change.latencyUs?.value).toBeCloseTo(200, 2);
    expect(change.p99Us?.value).toBeCloseTo(600, 1);
    expect(change.cpuUs?.differences).toHaveLength(5);
  });

  test('has an interval that holds together with those of all rows and the noise floor', () => {
    const { rows, noiseFloor } = taskOf(fakeResult());
    for (const row of [rows[0], noiseFloor]) {
      const found = row?.change.cpuUs;
      const { low, high } = found ? intervalAmong(2, found) : { low: null, high: null };
      expect(found).toMatchObject({ low, high });
    }
  });

  test('has memory and delays, null if nothing tells', () => {
    expect(rowOf(fakeResult()).figures).toMatchObject({ memoryBytes: 1e8, eventLoopDelayUs: 100 });
    const without = fakePairs('other', [12]);
    for (const { usage } of without)
      usage.scenario = { memoryBytes: null, cpuUs: null, probe: null };
    expect(rowOf(fakeResult(without)).figures).toMatchObject({
      memoryBytes: null,
      eventLoopDelayUs: null,
    });
  });

  test('has no user and system time of a pair that lacks slices: they are those of all', () => {
    const pairs = fakePairs('other', [12, 12]);
    for (const slice of pairs[0]?.duets ?? []) slice.rateShortfall = '7 of 10 requests';
    const times = rowOf(fakeResult(pairs)).pairs.map(({ usage }) => usage.scenario.cpuUs);
    expect(times).toEqual([null, { user: 8e5, system: 2e5 }]);
  });

  test('has no figures if a pair is invalid, and says why', () => {
    const pairs = fakePairs('other', [12, 12, 12]);
    pairs[2]?.faults.push(fakeFault());
    const row = rowOf(fakeResult(pairs));
    expect(row).toMatchObject({ faults: [fakeFault()], figures: null });
    expect(row.change).toEqual({ latencyUs: null, cpuUs: null, p99Us: null, memoryBytes: null });
  });

  test('has no change of what was not measured', () => {
    const row = rowOf(fakeResult(cleanPairs().map((pair) => ({ ...pair, alternating: [] }))));
    expect(row.change.latencyUs).toBeNull();
    expect(row.change.cpuUs).not.toBeNull();
    expect(row.figures).toMatchObject({ latencyUs: null, throughput: null, busyShare: null });
  });

  test('has the cost that its servers measured, else that of the suite, if it is known', () => {
    const result = fakeResult(fakePairs('other', [12, 12]));
    expect(rowOf(result).trueCostsUs).toBeNull();
    for (const scenario of result.suite.scenarios) scenario.trueCostUs = 2;
    expect(new Set(rowOf(result).trueCostsUs)).toEqual(new Set([2]));
    for (const [index, { usage }] of result.pairs.entries())
      setTrueCost(usage, 0, 2.1 + index / 10);
    expect(rowOf(result).trueCostsUs).toEqual([expect.closeTo(2.1, 9), expect.closeTo(2.2, 9)]);
  });
});

/**
 * Rows of the baseline and of servers that are known to cost 2 and 5 µs more, of which the second
 * reads 6.
 */
function knownCosts() {
  const result = fakeResult([
    ...fakePairs('base', [9.9, 10, 10.1]),
    ...fakePairs('two', [11.9, 12, 12.1]),
    ...fakePairs('five', [15.9, 16, 16.1]),
    ...fakePairs('other', [15]),
  ]);
  const known: Record<string, number> = { base: 0, two: 2, five: 5 };
  for (const scenario of result.suite.scenarios) scenario.trueCostUs = known[scenario.name] ?? null;
  return result;
}

/** The error of each row, by its title. */
function errors(result: Result) {
  const rows = analyse(result).tasks.flatMap(rowsWithNoiseFloor);
  return Object.fromEntries(rows.map(({ title, costError }) => [title, costError]));
}

describe('a row whose true cost is known', () => {
  test('has its error, measured minus true cost, and so has the noise floor', () => {
    const found = errors(knownCosts());
    expect(found.Five?.value).toBeCloseTo(1, 9);
    const covered = Object.entries(found).map(
      ([title, error]) => `${title}: ${error && holdsZero(error)}`,
    );
    expect(covered).toEqual([
      'Other: null',
      'Two: true',
      'Five: false',
      'Baseline against itself: true',
    ]);
  });

  test('has the mean error of its pairs, each against what its own servers measured', () => {
    const result = fakeResult([
      ...fakePairs('base', [9.9, 10, 10.1]),
      ...fakePairs('two', [12.1, 14, 17.1]),
    ]);
    for (const scenario of result.suite.scenarios) scenario.trueCostUs = 2;
    for (const { scenario, usage, duets } of result.pairs) {
      const { cpuNs, requests } = duets[0]?.scenario ?? {};
      setTrueCost(
        usage,
        0,
        scenario === 'base' ? 0 : Number(cpuNs) / 1e3 / Number(requests) - 10.1,
      );
    }
    const { Two } = errors(result);
    expect(Two?.value).toBeCloseTo(0.1, 9);
    // Its errors are all the same, and its interval is that of its group.
    for (const each of Two?.differences ?? []) expect(each).toBeCloseTo(0.1, 9);
  });
});

describe('a task', () => {
  test('has the baseline in all valid pairs, and against itself as the noise floor', () => {
    const pairs = [...fakePairs('base', [10, 10]), ...fakePairs('other', [12, 12], 11)];
    const { baseline, noiseFloor, rows } = taskOf(fakeResult(pairs));
    expect(baseline.title).toBe('Base');
    expect(baseline.figures?.cpuUs).toBeCloseTo(10.5, 9);
    expect(noiseFloor).toMatchObject({ scenario: 'base', title: 'Baseline against itself' });
    expect(noiseFloor?.change.cpuUs?.value).toBeCloseTo(0, 9);
    expect(rows.map(({ scenario }) => scenario)).toEqual(['other']);
    pairs[3]?.faults.push(fakeFault());
    expect(taskOf(fakeResult(pairs)).baseline.figures?.cpuUs).toBeCloseTo(31 / 3, 9);
  });

  test('keeps to its own pairs', () => {
    const result = fakeResult([
      ...fakePairs('other', [12]),
      { ...fakePair('other', 20), task: 'second' },
    ]);
    result.suite.tasks.push(fakeTask('second'));
    const costs = [0, 1].map((index) => taskOf(result, index).rows[0]?.change.cpuUs?.value);
    expect(costs[0]).toBeCloseTo(2, 9);
    expect(costs[1]).toBeCloseTo(10, 9);
  });
});

test('of the run: what was measured of what was planned', () => {
  const result = fakeResult();
  result.pairs.pop();
  expect(analyse(result).pairs).toEqual({ measured: 9, planned: 10 });
});
