import { describe, expect, test } from 'bun:test';
import { warningsAfter } from '../../testing/fake-analysis.ts';
import { cleanPairs, fakeFault, fakeTask } from '../../testing/fakes.ts';

describe('invalid', () => {
  test('its task is named if there are several', () => {
    const found = warningsAfter((result) => {
      result.suite.tasks.push(fakeTask('upload'));
      const pairs = cleanPairs().map((pair) => ({ ...pair, task: 'upload' }));
      pairs[9]?.faults.push(fakeFault());
      result.pairs.push(...pairs);
    });
    expect(found).toMatchObject([
      { task: 'upload', text: expect.stringMatching(/^Upload: Other has no figures/) },
    ]);
  });
});
