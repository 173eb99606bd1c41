import { expect, test } from 'bun:test';
import type { Pair, Result } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import {
  cleanPairs,
  fakeExported,
  fakeFault,
  fakePair,
  fakePairs,
  fakeSweep,
  fakeTask,
} from '../testing/fakes.ts';
import { answerOf } from './answer.ts';

test('the answer is what a request pays, as a multiple and in µs', () => {
  expect(answerOf(fakeAnalysis())).toBe(
    "With Other a request takes 1.200 ±0.004 times the baseline's CPU: 2.000 ±0.040 µs more.",
  );
});

test('the answer names the two dearest rows, the dearest first', () => {
  const pairs = [...cleanPairs(), ...fakePairs('large', [30, 30.1, 29.9, 30.05, 29.95])];
  const answer = answerOf(fakeAnalysis(undefined, pairs));
  expect(answer).toStartWith(
    "With Large a request takes 3.000 ±0.011 times the baseline's CPU: 20.0",
  );
  expect(answer).toEndWith('more; with Other 1.200 ±0.004 times.');
});

test('the answer to a cost of nothing is how large it may be', () => {
  const alike = fakePairs('other', [9.99, 10.02, 10, 9.98, 10.01]);
  expect(answerOf(fakeAnalysis(undefined, alike))).toMatch(
    /^No row takes more than 0\.\d+ µs of CPU above the baseline\.$/,
  );
  const noisy = fakePairs('other', [7, 14, 9, 12, 8]);
  expect(answerOf(fakeAnalysis(undefined, noisy))).toMatch(
    /^No row was found to take more than the baseline, but one may take up to \d+(\.\d+)? µs of CPU more\./,
  );
});

test('the answer to a cost of nothing says so if that reads too low', () => {
  const alike = fakePairs('other', [9.99, 10.02, 10, 9.98, 10.01]);
  const answer = answerOf(
    fakeAnalysis(({ pairs }) => {
      for (const { exported } of pairs) exported.scenario = fakeExported(1_000, 600);
    }, alike),
  );
  expect(answer).toContain(' But mind: Other: the cost reads too low');
});

test('the answer invents nothing where nothing was measured', () => {
  expect(answerOf(fakeAnalysis(undefined, []))).toContain('was not measured');
  const invalid = fakeAnalysis((result) => {
    for (const pair of result.pairs) pair.faults.push(fakeFault());
  });
  expect(answerOf(invalid)).toContain('was not measured');
  expect(answerOf(fakeAnalysis(undefined, [fakePair()]))).not.toMatch(/NaN|Infinity/);
});

test('the answer is about the scenario that the suite names, if that has a cost', () => {
  const pairs = [...cleanPairs(), ...fakePairs('large', [30, 30.1, 29.9, 30.05, 29.95])];
  const named = fakeAnalysis((result) => {
    result.suite.headline = 'other';
  }, pairs);
  expect(answerOf(named)).toBe(
    "With Other a request takes 1.200 ±0.004 times the baseline's CPU: 2.000 ±0.039 µs more.",
  );
  const broken = fakeAnalysis((result) => {
    result.suite.headline = 'other';
    for (const pair of result.pairs)
      if (pair.scenario === 'other') pair.faults.push(fakeFault({ scenario: 'other' }));
  }, pairs);
  expect(answerOf(broken)).toStartWith('With Large ');
});

test('the answer of a sweep is what one more costs', () => {
  const values = [0, 1, 2, 5];
  const pairs = values.flatMap((value) =>
    fakePairs(`spans-${value}`, [11.9 + value, 12 + value, 12.1 + value]),
  );
  const swept = fakeAnalysis((result) => {
    const names = values.map((value) => `spans-${value}`);
    result.suite.tasks = [fakeTask('default', ['base', ...names])];
    fakeSweep('spans', values)(result);
  }, pairs);
  expect(answerOf(swept)).toMatch(
    /: each \w+ more adds \+1\.\d+ ±0\.\d+ µs of server CPU to a request\.$/,
  );
});

test('the answer says at which rate it holds, and is read well with any title', () => {
  const run = fakeAnalysis(({ suite }) => {
    for (const task of suite.tasks) Object.assign(task, { rate: 500 });
    for (const scenario of suite.scenarios) scenario.title = 'With OpenTelemetry';
  });
  expect(answerOf(run)).toStartWith('With OpenTelemetry, at 500 requests/s, a request takes ');
});

test('the answer at a rate is also a share of a core: 20 µs, 500 times a second, are 1 %', () => {
  const atRate = ({ suite }: Result) => {
    for (const task of suite.tasks) Object.assign(task, { rate: 500 });
  };
  const pairs = fakePairs('other', [29.9, 30, 30.1]);
  expect(answerOf(fakeAnalysis(atRate, pairs))).toMatch(
    /: 20\.\d+ ±[\d.]+ µs more, or 1\.\d+ ±[\d.]+ % of a core/,
  );
  expect(answerOf(fakeAnalysis(() => {}, pairs))).not.toContain('of a core');
});

test('the answer without CPU times is how much later answers come', () => {
  const run = fakeAnalysis(({ pairs }) => {
    for (const { duets } of pairs)
      for (const slice of duets) slice.baseline.cpuNs = slice.scenario.cpuNs = null;
  });
  expect(answerOf(run)).toMatch(
    /^With Other an answer takes 0\.\d+ ±0\.\d+ ms longer at 100 connections\. .* not measured\.$/,
  );
});

/** Without CPU times; what each row takes tells in its latency. */
function withoutCpu(pairs: Pair[]): string {
  const run = fakeAnalysis((result) => {
    for (const { duets } of result.pairs)
      for (const slice of duets) slice.baseline.cpuNs = slice.scenario.cpuNs = null;
  }, pairs);
  return answerOf(run);
}

test('the answer without CPU times is of a row that surely changed, not of the largest figure', () => {
  const noisy = fakePairs('noisy', [7, 30, 9, 28, 8]);
  expect(withoutCpu([...cleanPairs(), ...noisy])).toStartWith('With Other an answer takes 0.');
  expect(withoutCpu(noisy)).toMatch(/^It is not known whether latency changed \(with Noisy \+/);
  const alike = fakePairs('other', [9.99, 10.02, 10, 9.98, 10.01]);
  expect(withoutCpu(alike)).toStartWith('No change of latency was found (with Other ');
});

test('the answer that no row costs more tells of rows without figures', () => {
  const alike = fakePairs('other', [9.99, 10.02, 10, 9.98, 10.01]);
  const failed = fakePairs('failed', [12, 12]);
  for (const pair of failed) pair.faults.push(fakeFault({ scenario: 'failed' }));
  expect(answerOf(fakeAnalysis(undefined, [...alike, ...failed]))).toEndWith(
    'above the baseline. Nothing is known of 1 other row.',
  );
});

test('the largest cost that a row may have is rounded up, so that it holds', () => {
  const run = fakeAnalysis(undefined, fakePairs('other', [9.99, 10.02, 10, 9.98, 10.01]));
  const high = run.tasks[0]?.rows.find(({ scenario }) => scenario === 'other')?.change.cpuUs?.high;
  const told = Number(/more than ([\d.]+) µs/.exec(answerOf(run))?.[1]);
  expect(told).toBeGreaterThanOrEqual(Number(high));
});

test('the answer of a sweep says where no line fits', () => {
  const costs: [number, number][] = [
    [0, 12],
    [1, 13],
    [2, 14],
    [5, 30],
  ];
  const pairs = costs.flatMap(([value, us]) =>
    fakePairs(`spans-${value}`, [us - 0.02, us, us + 0.02]),
  );
  const swept = fakeAnalysis((result) => {
    const values = costs.map(([value]) => value);
    const names = values.map((value) => `spans-${value}`);
    result.suite.tasks = [fakeTask('default', ['base', ...names])];
    fakeSweep('spans', values)(result);
  }, pairs);
  expect(answerOf(swept)).toMatch(/ to a request\. But no line fits, least at SPANS=\d\.$/);
});
