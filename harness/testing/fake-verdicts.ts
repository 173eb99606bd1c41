// Fake verdicts of a gate, with which tests of what follows from a gate agree.

import type { CostChange } from '../analysis/compare.ts';
import type { Judgement, Verdict } from '../analysis/gate.ts';
import { NOT_MISREAD } from '../analysis/misreading.ts';

export const COST: CostChange = {
  oldUs: 10,
  newUs: 12,
  changeUs: { value: 2, low: 1.9, high: 2.1 },
  totalUs: 10,
  relative: { value: 0.2, low: 0.19, high: 0.21 },
  pairs: 10,
  ...NOT_MISREAD,
};
export const PASSES: Verdict = { kind: 'passes', title: 'Fine' };
export const EXCEEDS: Verdict = { kind: 'exceeds', title: 'Other', cost: COST };
export const MISSING: Verdict = { kind: 'not-judged', title: 'Third', reason: 'gone' };

/** Returns the judgement of these rows by a limit of 1.8 µs. */
export function judgedByCpu(...verdicts: Verdict[]): Judgement {
  return { quantity: 'cpuUs', limit: { value: 1.8, unit: 'us' }, verdicts };
}
