import { expect, test } from 'bun:test';
import { fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { comparePairs } from './compare-pairs.ts';
import { estimate } from './estimate.ts';

const compare = (...rows: [name: string, newUs: number[], oldUs?: number][]) => {
  const result = fakeResult(rows.flatMap(([name, newUs, oldUs]) => fakePairs(name, newUs, oldUs)));
  const [only] = result.suite.tasks;
  if (only) result.suite.tasks = rows.map(([name]) => ({ ...only, name, title: `The ${name}`, scenarios: [name] }));
  for (const pair of result.pairs) pair.task = pair.scenario;
  result.suite.skipped = [{ scenario: 'Added', reason: 'it is not in main', tasks: [] }];
  return comparePairs(analyse(result));
};

test('the change is that of the pairs, in µs and relative to the old, with an interval for all rows together', () => {
  const [server, other, added] = compare(['server', [10.18, 10.2, 10.22]], ['other', [19.9, 20, 20.1], 20]);
  expect(server).toMatchObject({ title: 'The server', missing: null, cost: { by: 'cpuUs', verdict: 'worse' } });
  expect(server?.cost?.oldUs).toBeCloseTo(10, 9);
  expect(server?.cost?.newUs).toBeCloseTo(10.2, 9);
  expect(server?.cost?.changeUs.low).toBeCloseTo(estimate([0.18, 0.2, 0.22], 2).low, 9);
  expect(server?.cost?.relative.value).toBeCloseTo(0.02, 9);
  expect(other?.cost?.verdict).toBe('~');
  expect(added).toEqual({ title: 'Added', cost: null, missing: 'it is not in main' });
});

test('too few pairs give no figure', () => {
  expect(compare(['server', [11, 12]])[0]).toMatchObject({
    cost: null,
    missing: expect.stringContaining('fewer than 3'),
  });
});
