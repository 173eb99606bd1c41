import { expect, test } from 'bun:test';
import { fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { estimate } from './estimate.ts';

const MIB = 2 ** 20;
const STARTS = [100, 101, 102, 103];
const START_CHANGES = [50, 52, 51, 53];

/** `other` starts about 50 ms later than `base`. */
function result() {
  const run = fakeResult([...fakePairs('base', [10, 10.1]), ...fakePairs('other', [12, 12.1])]);
  const later = STARTS.map((ms, index) => ms + (START_CHANGES[index] ?? 0));
  run.startUps = [
    { task: 'default', scenario: 'base', ms: { baseline: STARTS, scenario: STARTS } },
    { task: 'default', scenario: 'other', ms: { baseline: STARTS, scenario: later } },
  ];
  for (const scenario of run.suite.scenarios) scenario.installedBytes = scenario.name === 'base' ? MIB : 2 * MIB;
  run.idles = [
    { task: 'default', scenario: 'base', cpuMsPerSecond: { baseline: 0.25, scenario: 0.4 } },
    { task: 'default', scenario: 'other', cpuMsPerSecond: { baseline: 0.75, scenario: 2 } },
  ];
  return run;
}

test('the baseline as it is in all rows, and a row by its differences, whose intervals hold with those of the others', () => {
  const [task] = analyse(result()).tasks;
  const alone = { startUpChangeMs: null, installedBytes: MIB };
  expect(task?.baseline.footprint).toEqual({ startUpMs: 101.5, standingMsPerSecond: 0.5, ...alone });
  expect(task?.rows[0]?.footprint).toEqual({
    startUpMs: 153,
    startUpChangeMs: estimate(START_CHANGES, 2),
    installedBytes: 2 * MIB,
    standingMsPerSecond: 2,
  });
});

test('a suite that does not ask for it has none', () => {
  const [task] = analyse(fakeResult()).tasks;
  expect([task?.baseline, ...(task?.rows ?? [])].map((server) => server?.footprint)).toEqual([null, null]);
});

test('a row without starts has no start-up', () => {
  const run = result();
  run.startUps = [];
  const missing = { startUpMs: null, startUpChangeMs: null };
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({ ...missing, installedBytes: 2 * MIB });
});

test('a folder of packages that all share has no size of a row', () => {
  const run = result();
  for (const scenario of run.suite.scenarios) scenario.installedBytes = MIB;
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({ startUpMs: 153, installedBytes: null });
});
