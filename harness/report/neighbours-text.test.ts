import { expect, test } from 'bun:test';
import { analyse } from '../analysis/analysis.ts';
import type { Result } from '../result/schema.ts';
import { costsAround, fakePairs, fakeResult } from '../testing/fakes.ts';
import { neighbourTexts } from './neighbours-text.ts';

/** Returns what is said of products that take so much, each with how far its pairs lie apart. */
function textsOf(products: [us: number, spread?: number][], change = (_: Result) => {}): string[] {
  const result = fakeResult([
    ...fakePairs('base', costsAround(10)),
    ...products.flatMap(([us, spread], at) => fakePairs(`row-${at + 1}`, costsAround(us, spread))),
  ]);
  const ms = { baseline: [10, 10, 10], scenario: [30, 31, 32] };
  result.startUps = [{ task: 'default', scenario: 'row-1', ms }];
  change(result);
  return neighbourTexts(analyse(result));
}

test('if all are apart, that is all that is said', () => {
  expect(textsOf([[20], [25], [30]])).toEqual([
    'Each row surely takes more CPU than the one above it.',
  ]);
});

test('those that are alike are named, and those of which it is not known', () => {
  const [text] = textsOf([[20], [20.01], [30, 3], [30.5, 3]]);
  expect(text).toMatch(
    /^Each row surely takes more CPU than the one above it, but "Row-1" and "Row-2" are alike within 10 %; of "Row-3" and "Row-4" it is not known \(-\d+ to \+\d+ %\)\.$/,
  );
});

test('if there are many, they are counted', () => {
  expect(textsOf([[20], [20.01], [20.02], [20.03], [20.04], [20.05]])).toEqual([
    'Each row surely takes more CPU than the one above it, but 5 are alike within 10 %.',
  ]);
});

test('of several it is not known: they are counted', () => {
  const [text] = textsOf([[20], [30, 3], [30.5, 3], [31, 3]]);
  expect(text).toBe(
    'Each row surely takes more CPU than the one above it, but of 2 it is not known.',
  );
});

test('nothing is said of what is no product, nor of a single one', () => {
  expect(textsOf([[20]])).toEqual([]);
  expect(
    textsOf([[20], [25]], (result) => {
      result.startUps = [];
    }),
  ).toEqual([]);
});
