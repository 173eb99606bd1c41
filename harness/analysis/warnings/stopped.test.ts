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
