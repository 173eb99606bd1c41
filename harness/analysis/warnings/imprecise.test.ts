import { expect, test } from 'bun:test';
import type { Result } from '../../result/schema.ts';
import { warningsAfter } from '../../testing/fake-analysis.ts';
import { asRevisions, fakePairs, fakeResult } from '../../testing/fakes.ts';

const within = (
  endReason: Result['endReason'],
  costsUs: number[],
  change = (_: Result): void => {},
) =>
  warningsAfter((result) => {
    const { configuration } = result;
    Object.assign(configuration, { pairs: 4, mostPairs: 5, within: { value: 10, unit: '%' } });
    result.endReason = endReason;
    const base = result.pairs.filter(({ scenario }) => scenario === 'base');
    result.pairs = [...base, ...fakePairs('other', costsUs)];
    change(result);
  });

test('imprecise: a row that got no more pairs before it was known as well as was asked for', () => {
  const [warning, ...others] = within('short', [20, 35, 15, 40, 22]);
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ kind: 'imprecise' });
  expect(warning?.text).toMatch(/^1 row not known within 10 %: Other \(±\d+ %\)$/);
  expect(warning?.remedy).toStartWith('Ask for less with --within');
});

test('imprecise: of many rows, the one that lacks most is named', () => {
  const costs = [20, 35, 15, 40, 22];
  const [warning] = within('short', costs, (result) => {
    result.pairs.push(...fakePairs('worse', [20, 45, 5, 50, 22]), ...fakePairs('third', costs));
    result.suite = fakeResult(result.pairs).suite;
  });
  expect(warning?.text).toMatch(/^3 rows not known within 10 %, least well [Ww]orse \(±\d+ %\)$/);
});

test('imprecise: a row that the time did not do for', () => {
  const [warning] = within('time', [20, 30]);
  expect(warning?.remedy).toBe('Go on with --resume, or give more time with --at-most');
});

test('imprecise: a comparison of two revisions does not go on', () => {
  const [warning] = within('time', [20, 30], asRevisions);
  expect(warning?.remedy).toBe('Measure again, and give more time with --at-most');
});

test('imprecise: not if all rows are known', () => {
  expect(within('known', [30, 30.1, 29.9, 30, 30.05])).toEqual([]);
});
