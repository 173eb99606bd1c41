import { expect, test } from 'bun:test';
import { fakeFault, fakePairs, fakeResult, fakeUsage } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { estimate } from './estimate.ts';

const MIB = 2 ** 20;

/** `other` starts 50 ms later than `base`, and takes 8 MiB more. */
function result() {
  const run = fakeResult([...fakePairs('base', [10, 10.1]), ...fakePairs('other', [12, 12.1])]);
  const starts = Array.from({ length: 20 }, (_, index) => 100 + index);
  const later = starts.map((ms) => ms + 50);
  run.startUps = [
    { task: 'default', scenario: 'base', ms: { baseline: starts, scenario: starts } },
    { task: 'default', scenario: 'other', ms: { baseline: starts, scenario: later } },
  ];
  for (const { usage, scenario } of run.pairs)
    if (scenario === 'other') usage.scenario = { ...fakeUsage(), memoryBytes: { mean: 1e8 + 8 * MIB, max: 2e8 } };
  for (const scenario of run.suite.scenarios) scenario.installedBytes = scenario.name === 'base' ? MIB : 3 * MIB;
  return run;
}

test('the baseline as it is, a row by its differences', () => {
  const [task] = analyse(result()).tasks;
  expect(task?.baseline.footprint).toEqual({
    memoryBytes: 1e8,
    memoryChangeBytes: null,
    startUpMs: 109.5,
    startUpChangeMs: null,
    installedBytes: MIB,
    standingMsPerSecond: null,
  });
  expect(task?.rows[0]?.footprint).toMatchObject({
    memoryBytes: 1e8 + 8 * MIB,
    memoryChangeBytes: { value: 8 * MIB, low: 8 * MIB, high: 8 * MIB },
    startUpMs: 159.5,
    startUpChangeMs: { value: 50, low: 50, high: 50 },
    installedBytes: 3 * MIB,
  });
  expect(task?.noiseFloor?.footprint?.startUpChangeMs).toEqual({ value: 0, low: 0, high: 0 });
});

test('a suite that does not ask for it has none', () => {
  const [task] = analyse(fakeResult()).tasks;
  expect([task?.baseline, ...(task?.rows ?? [])].map((server) => server?.footprint)).toEqual([null, null]);
});

test('a row with an invalid pair has no memory', () => {
  const run = result();
  run.pairs.at(-1)?.faults.push(fakeFault());
  const [task] = analyse(run).tasks;
  expect(task?.rows[0]?.footprint).toMatchObject({ memoryBytes: null, memoryChangeBytes: null, startUpMs: 159.5 });
  expect(task?.baseline.footprint?.memoryBytes).toBe(1e8);
});

test('an interval of memory holds together with those of the other rows that have one', () => {
  const changeBytes = (baseIsValid: boolean) => {
    const run = result();
    for (const [index, { usage }] of run.pairs.entries())
      usage.scenario.memoryBytes = { mean: 1e8 + (8 + index) * MIB, max: 2e8 };
    if (!baseIsValid) run.pairs[0]?.faults.push(fakeFault());
    return analyse(run).tasks[0]?.rows[0]?.footprint?.memoryChangeBytes;
  };
  const differences = [10 * MIB, 11 * MIB];
  expect(changeBytes(true)).toEqual(estimate(differences, 2));
  expect(changeBytes(false)).toEqual(estimate(differences, 1));
});

test('starts without pairs, and sizes without starts', () => {
  const run = result();
  run.pairs = [];
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({ memoryBytes: null, startUpMs: 159.5 });
  run.startUps = [];
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({
    startUpMs: null,
    startUpChangeMs: null,
    installedBytes: 3 * MIB,
  });
});

test('standing CPU is that of a second without requests, of the baseline in all rows', () => {
  const run = fakeResult();
  run.idles = [
    { task: 'default', scenario: 'base', cpuMsPerSecond: { baseline: 0.2, scenario: 0.4 } },
    { task: 'default', scenario: 'other', cpuMsPerSecond: { baseline: 0.4, scenario: 2 } },
  ];
  const [task] = analyse(run).tasks;
  expect(task?.baseline.footprint?.standingMsPerSecond).toBeCloseTo(0.3, 9);
  expect(task?.rows[0]?.footprint?.standingMsPerSecond).toBe(2);
});
