import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { remarksOf } from './view.ts';

/** A container stops each pair for most of its time. */
function stopByQuota({ pairs }: Result): void {
  const cpu = { quotaCores: 0.6, periods: 40, stoppedPeriods: 30, stoppedNs: 1.2e9 };
  for (const pair of pairs) pair.container = { cpu, memory: null };
}

test('beside CPU times alone, nothing is told of latency', () => {
  const run = fakeAnalysis(stopByQuota);
  expect(run.warnings.map(({ kind }) => kind)).toContain('cpu-quota');
  expect(remarksOf(run).warnings).toEqual([]);
});
