import { expect, test } from 'bun:test';
import type { CostChange } from '../analysis/compare.ts';
import type { Judgement, Verdict } from '../analysis/gate.ts';
import { gateLines } from './verdicts.ts';

const COST: CostChange = {
  oldUs: 10,
  newUs: 12,
  changeUs: { value: 2, low: 1.9, high: 2.1 },
  relative: { value: 0.2, low: 0.19, high: 0.21 },
};
const PASSES: Verdict = { kind: 'passes', title: 'Fine' };
const EXCEEDS: Verdict = { kind: 'exceeds', title: 'Other', cost: COST };
const MISSING: Verdict = { kind: 'not-judged', title: 'Third', reason: 'gone' };

const ofCpu = (...verdicts: Verdict[]): Judgement => {
  return { quantity: 'cpuUs', limit: { value: 1.8, unit: 'us' }, verdicts };
};
const ofP99 = (...verdicts: Verdict[]): Judgement => {
  return { quantity: 'p99Us', limit: { value: 1, unit: 'us' }, verdicts };
};

test('a row that passes has no line', () => {
  expect(gateLines([])).toEqual([]);
  expect(gateLines([ofCpu(PASSES)])).toEqual([]);
});

test('a row above the limit has a line with its cost, in the unit of what is limited', () => {
  expect(gateLines([ofCpu(EXCEEDS)])).toEqual([
    'Other adds +2.00 ±0.10 µs (+20.0 ±1.0 %) to CPU per request, above 1.8 µs',
  ]);
  expect(gateLines([ofP99(EXCEEDS)])).toEqual([
    'Other adds +0.0020 ±0.0001 ms (+20.0 ±1.0 %) to p99, above 0.001 ms',
  ]);
  expect(gateLines([{ ...ofCpu(EXCEEDS), limit: { value: 5, unit: '%' } }])).toEqual([
    'Other adds +2.00 ±0.10 µs (+20.0 ±1.0 %) to CPU per request, above 5 %',
  ]);
});

test('a row that both limits can not judge has one line, with its reason', () => {
  expect(gateLines([ofCpu(MISSING), ofP99(MISSING)])).toEqual(['Third could not be judged: gone']);
});

test('the option that accepts what is missing is named if something else was judged', () => {
  expect(gateLines([ofCpu(PASSES, MISSING)], '--allow-missing')).toEqual([
    'Third could not be judged: gone; --allow-missing accepts that',
  ]);
  expect(gateLines([ofCpu(MISSING)], '--allow-missing')).toEqual([
    'Third could not be judged: gone',
  ]);
});

test('a run without rows says that nothing was judged', () => {
  expect(gateLines([ofCpu()])).toEqual(['Nothing was measured that could be judged']);
});
