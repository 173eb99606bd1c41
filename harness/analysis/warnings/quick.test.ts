import { expect, test } from 'bun:test';
import { textsOf, warningsAfter } from '../../testing/fake-analysis.ts';

test('quick: it says itself that servers may not be steady', () => {
  const found = warningsAfter((result) => {
    result.configuration.isQuick = true;
    for (const pair of result.pairs) pair.isSteady = false;
  });
  expect(textsOf(found)).toEqual([expect.stringMatching(/^Not for publishing: /)]);
});
