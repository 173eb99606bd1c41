import { expect, test } from 'bun:test';
import { fakeFault, fakePairs, fakeResult, fakeUsage } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { estimate } from './estimate.ts';

const MIB = 2 ** 20;
const STARTS = [100, 101, 102, 103];
const START_CHANGES = [50, 52, 51, 53];

/** `other` starts about 50 ms later than `base`, and takes 8 and 9 MiB more. */
function result() {
  const run = fakeResult([...fakePairs('base', [10, 10.1]), ...fakePairs('other', [12, 12.1])]);
  const later = STARTS.map((ms, index) => ms + (START_CHANGES[index] ?? 0));
  run.startUps = [
    { task: 'default', scenario: 'base', ms: { baseline: STARTS, scenario: STARTS } },
    { task: 'default', scenario: 'other', ms: { baseline: STARTS, scenario: later } },
  ];
  for (const [index, { usage, scenario }] of run.pairs.entries())
    if (scenario === 'other') usage.scenario = { ...fakeUsage(), memoryBytes: { mean: 1e8 + (6 + index) * MIB } };
  for (const scenario of run.suite.scenarios) scenario.installedBytes = MIB;
  run.idles = [
    { task: 'default', scenario: 'base', cpuMsPerSecond: { baseline: 0.25, scenario: 0.4 } },
    { task: 'default', scenario: 'other', cpuMsPerSecond: { baseline: 0.75, scenario: 2 } },
  ];
  return run;
}

test('the baseline as it is in all rows, and a row by its differences, whose intervals hold with those of the others', () => {
  const [task] = analyse(result()).tasks;
  const alone = { memoryChangeBytes: null, startUpChangeMs: null, installedBytes: MIB };
  const baseline = { memoryBytes: 1e8, startUpMs: 101.5, standingMsPerSecond: 0.5, ...alone };
  expect(task?.baseline.footprint).toEqual(baseline);
  expect(task?.rows[0]?.footprint).toEqual({
    memoryBytes: 1e8 + 8.5 * MIB,
    memoryChangeBytes: estimate([8 * MIB, 9 * MIB], 2),
    startUpMs: 153,
    startUpChangeMs: estimate(START_CHANGES, 2),
    installedBytes: MIB,
    standingMsPerSecond: 2,
  });
});

test('a suite that does not ask for it has none', () => {
  const [task] = analyse(fakeResult()).tasks;
  expect([task?.baseline, ...(task?.rows ?? [])].map((server) => server?.footprint)).toEqual([null, null]);
});

test('a row with an invalid pair has no memory, and one without starts no start-up', () => {
  const run = result();
  run.pairs.at(-1)?.faults.push(fakeFault());
  run.startUps = [];
  const missing = { memoryBytes: null, memoryChangeBytes: null, startUpMs: null, startUpChangeMs: null };
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({ ...missing, installedBytes: MIB });
});
