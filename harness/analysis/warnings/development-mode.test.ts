import { expect, test } from 'bun:test';
import { warningsAfter } from '../../testing/fake-analysis.ts';

test('a server that watches its files is named, with what tells so', () => {
  const [warning] = warningsAfter(({ suite }) => {
    for (const scenario of suite.scenarios)
      if (scenario.name === 'other') scenario.developmentSign = '--watch';
  });
  expect(warning).toMatchObject({
    kind: 'development-mode',
    text: 'Costs are not those of production: Other (--watch) ran in watch or development mode',
  });
});
