import { expect, test } from 'bun:test';
import { fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { meanEstimate } from './mean-estimate.ts';

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
  run.idles = [
    { task: 'default', scenario: 'base', cpuMsPerSecond: { baseline: 0.25, scenario: 0.4 } },
    { task: 'default', scenario: 'other', cpuMsPerSecond: { baseline: 0.75, scenario: 2 } },
  ];
  return run;
}

test('the baseline has the mean of all rows, and a row its change, with an interval for all', () => {
  const [task] = analyse(result()).tasks;
  expect(task?.baseline.footprint).toEqual({
    startUpMs: 101.5,
    startUpChangeMs: null,
    standingMsPerSecond: 0.5,
  });
  expect(task?.rows[0]?.footprint).toEqual({
    startUpMs: 153,
    startUpChangeMs: { ...meanEstimate(START_CHANGES, 2), baseline: 101.5 },
    standingMsPerSecond: 2,
  });
});

test('a row without starts has no start-up', () => {
  const run = result();
  run.startUps = [];
  const missing = { startUpMs: null, startUpChangeMs: null };
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject(missing);
});
