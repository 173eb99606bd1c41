import { expect, test } from 'bun:test';
import { fakePairs, fakeResult, fakeUsage } from '../testing/fakes.ts';
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
    if (scenario === 'other') usage.scenario = { ...fakeUsage(), rssBytes: { mean: 1e8 + 8 * MIB, max: 2e8 } };
  for (const scenario of run.suite.scenarios) scenario.installedBytes = scenario.name === 'base' ? MIB : 3 * MIB;
  return run;
}

test('the baseline as it is, a row by its differences', () => {
  const [task] = analyse(result()).tasks;
  expect(task?.baseline.footprint).toEqual({
    rssBytes: 1e8,
    rssChangeBytes: null,
    startUpMs: 109.5,
    startUpChangeMs: null,
    installedBytes: MIB,
  });
  expect(task?.rows[0]?.footprint).toMatchObject({
    rssBytes: 1e8 + 8 * MIB,
    rssChangeBytes: { value: 8 * MIB, low: 8 * MIB, high: 8 * MIB },
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
  run.pairs.at(-1)?.invalid.push('a server ended');
  const [task] = analyse(run).tasks;
  expect(task?.rows[0]?.footprint).toMatchObject({ rssBytes: null, rssChangeBytes: null, startUpMs: 159.5 });
  expect(task?.baseline.footprint?.rssBytes).toBe(1e8);
});

test('an interval of memory holds together with those of the other rows that have one', () => {
  const changeBytes = (baseIsValid: boolean) => {
    const run = result();
    for (const [index, { usage }] of run.pairs.entries())
      if (usage.scenario) usage.scenario.rssBytes.mean += index * MIB;
    if (!baseIsValid) run.pairs[0]?.invalid.push('a server ended');
    return analyse(run).tasks[0]?.rows[0]?.footprint?.rssChangeBytes;
  };
  const differences = [10 * MIB, 11 * MIB];
  expect(changeBytes(true)).toEqual(estimate(differences, 2));
  expect(changeBytes(false)).toEqual(estimate(differences, 1));
});

test('starts without pairs, and sizes without starts', () => {
  const run = result();
  run.pairs = [];
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({ rssBytes: null, startUpMs: 159.5 });
  run.startUps = [];
  expect(analyse(run).tasks[0]?.rows[0]?.footprint).toMatchObject({
    startUpMs: null,
    startUpChangeMs: null,
    installedBytes: 3 * MIB,
  });
});
