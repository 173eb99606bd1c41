import { expect, test } from 'bun:test';
import type { Result } from '../../result/schema.ts';
import { warningsAfter } from '../../testing/fake-analysis.ts';

const remedyFor = (pinning: Result['pinning']) =>
  warningsAfter((result) => {
    result.pinning = pinning;
  }).find(({ kind }) => kind === 'unpinned')?.remedy;

test('unpinned: the remedy is for the reason, and in older files for the most frequent one', () => {
  expect(remedyFor({ missing: 'x' })).toBe('Measure on Linux with two cores or more');
  expect(remedyFor({ missing: 'x', reason: 'switched-off' })).toBe('Measure without --no-pin');
  expect(remedyFor({ missing: 'x', reason: 'cpuset' })).toContain('--cpuset-cpus');
});
