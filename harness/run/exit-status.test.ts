import { expect, test } from 'bun:test';
import type { Judgement, Verdict } from '../analysis/gate.ts';
import { firstFailure, gateStatus } from './exit-status.ts';

const COST: Extract<Verdict, { kind: 'exceeds' }>['cost'] = {
  oldUs: 10,
  newUs: 12,
  changeUs: { value: 2, low: 1.9, high: 2.1 },
  totalUs: 10,
  relative: { value: 0.2, low: 0.19, high: 0.21 },
  pairs: 10,
};
const PASSES: Verdict = { kind: 'passes', title: 'Fine' };
const EXCEEDS: Verdict = { kind: 'exceeds', title: 'Other', cost: COST };
const UNDECIDED: Verdict = { kind: 'undecided', title: 'Other', cost: COST };
const MISSING: Verdict = { kind: 'not-judged', title: 'Third', reason: 'gone' };

const judged = (...verdicts: Verdict[]): Judgement => {
  return { quantity: 'cpuUs', limit: { value: 1.8, unit: 'us' }, verdicts };
};

test('a gate that is not decided has an exit status of its own, unless it fails', () => {
  expect(gateStatus([])).toBe(0);
  expect(gateStatus([judged(PASSES)])).toBe(0);
  expect(gateStatus([judged(PASSES, UNDECIDED)])).toBe(4);
  expect(gateStatus([judged(UNDECIDED), judged(EXCEEDS)])).toBe(1);
  expect(gateStatus([judged(UNDECIDED, MISSING)])).toBe(1);
});

test('what failed first decides the exit status', () => {
  expect(firstFailure(0, 0)).toBe(0);
  expect(firstFailure(0, 4)).toBe(4);
  expect(firstFailure(130, 4)).toBe(130);
});
