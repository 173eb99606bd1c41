import { expect, test } from 'bun:test';
import type { Result } from '../../result/schema.ts';
import { textsOf, warningsAfter } from '../../testing/fake-analysis.ts';
import { asRevisions, fakeTask } from '../../testing/fakes.ts';

test('stopped: a run that was killed, without a pair', () => {
  const killed = warningsAfter((result) => Object.assign(result, { endedAt: null, pairs: [] }));
  const reason = 'it was killed, or still runs';
  expect(textsOf(killed)).toEqual([
    `Not all was measured: the run ended after 0 of 10 pairs (${reason})`,
  ]);
});

test('stopped: a comparison of two revisions does not go on', () => {
  const remedyOf = (change: (result: Result) => void) =>
    warningsAfter((result) => change(Object.assign(result, { stoppedBy: 'of it' })))[0]?.remedy;
  expect(remedyOf(() => {})).toBe('Go on with --resume, or measure again');
  // Later values of a sweep have no pairs of the baseline with itself.
  const later = fakeTask('default', ['other']);
  expect(remedyOf(({ suite }) => suite.tasks.splice(0, 1, later))).toBe(
    'Go on with --resume, or measure again',
  );
  expect(remedyOf(asRevisions)).toBe('Measure again');
});

test('stopped: a gate whose time was over, with more time as the remedy', () => {
  const [warning] = warningsAfter((result) => {
    const limits = { cpu: { value: 5, unit: '%' }, p99Us: null } as const;
    Object.assign(result.configuration, { within: null, limits, pairs: 4, mostPairs: 30 });
    result.endReason = 'time';
  });
  expect(warning).toMatchObject({
    kind: 'stopped',
    text: expect.stringContaining('(--at-most)'),
    remedy: 'Go on with --resume, or give more time with --at-most',
  });
});
