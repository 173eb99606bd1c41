import { expect, test } from 'bun:test';
import type { Verdict } from '../analysis/gate.ts';
import { COST, EXCEEDS, judgedByCpu as judged, MISSING, PASSES } from '../testing/fake-verdicts.ts';
import { firstFailure, gateStatus } from './exit-status.ts';

const UNDECIDED: Verdict = { kind: 'undecided', title: 'Other', cost: COST };

test('a gate that is not decided has an exit status of its own, unless it fails', () => {
  expect(gateStatus([])).toBe(0);
  expect(gateStatus([judged(PASSES)])).toBe(0);
  expect(gateStatus([judged(PASSES)], false)).toBe(4);
  expect(gateStatus([judged(EXCEEDS)], false)).toBe(1);
  expect(gateStatus([judged(PASSES, UNDECIDED)])).toBe(4);
  expect(gateStatus([judged(UNDECIDED), judged(EXCEEDS)])).toBe(1);
  expect(gateStatus([judged(UNDECIDED, MISSING)])).toBe(1);
});

test('what failed first decides the exit status', () => {
  expect(firstFailure(0, 0)).toBe(0);
  expect(firstFailure(0, 4)).toBe(4);
  expect(firstFailure(130, 4)).toBe(130);
});
