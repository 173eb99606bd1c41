import { expect, test } from 'bun:test';
import type { Pair } from '../../result/schema.ts';
import { fakeAnalysis, kindsOf } from '../../testing/fake-analysis.ts';
import { fakePairs } from '../../testing/fakes.ts';

/** Pairs of a row that costs twice the baseline, at these speeds of the machine. */
function proportionalPairs(baselinesUs: number[]): Pair[] {
  return baselinesUs.flatMap((baselineUs, at) =>
    fakePairs('follows', [3 * baselineUs + 0.01 * (at % 3)], baselineUs),
  );
}

const FOLLOWING = proportionalPairs([6, 8, 10, 12, 14, 7, 9, 11, 13]);
const stayingPairs = (baselineUs: number) =>
  fakePairs(
    'stays',
    [30, 30.02, 29.98, 30.01, 29.99].map((costUs) => costUs + baselineUs - 10),
    baselineUs,
  );

test('odd-speed: the cost of a row stayed while the machine was slower than in the whole run', () => {
  const { warnings } = fakeAnalysis(undefined, [...FOLLOWING, ...stayingPairs(14)]);
  expect(kindsOf(warnings)).toContain('odd-speed');
  const warning = warnings.find(({ kind }) => kind === 'odd-speed');
  expect(warning?.scenario).toBe('stays');
  expect(warning?.text).toContain('the cost of Stays did not follow the speed of the machine');
});

test('odd-speed: not at the speed of the whole run', () => {
  const { warnings } = fakeAnalysis(undefined, [...FOLLOWING, ...stayingPairs(10)]);
  expect(kindsOf(warnings)).not.toContain('odd-speed');
});
