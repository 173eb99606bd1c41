import { expect, test } from 'bun:test';
import { textsOf, warningsAfter, warningsOfPairs } from '../../testing/fake-analysis.ts';

test('not-steady: more than a quarter of the pairs', () => {
  const unsteady = (count: number) =>
    warningsOfPairs((pair, index) => {
      pair.isSteady = index >= count;
    });
  const seen = 'in 3 of 10 pairs a server was not steady when the warm-up ended';
  expect(textsOf(unsteady(3))).toEqual([`Costs may read too high: ${seen}`]);
  expect(unsteady(2)).toEqual([]);
});

test('quick: it says itself that servers may not be steady', () => {
  const found = warningsAfter((result) => {
    result.configuration.isQuick = true;
    for (const pair of result.pairs) pair.isSteady = false;
  });
  expect(textsOf(found)).toEqual([expect.stringMatching(/^Not for publishing: /)]);
});
