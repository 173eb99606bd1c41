import { expect, test } from 'bun:test';
import { analyse, type Run } from '../analysis/analysis.ts';
import { type Neighbours, productNeighbours } from '../analysis/neighbours.ts';
import { isMarked } from '../analysis/warnings/list.ts';
import type { Result } from '../result/schema.ts';
import { costsAround, fakePairs, fakeResult, fakeTask } from '../testing/fakes.ts';
import { neighbourTexts, signOf } from './neighbours-text.ts';

/** Products that take so much, each with how far its pairs lie apart. */
type Products = [us: number, spread?: number][];

function runOf(products: Products, change = (_: Result) => {}): Run {
  const result = fakeResult([
    ...fakePairs('base', costsAround(10)),
    ...products.flatMap(([us, spread], at) => fakePairs(`row-${at + 1}`, costsAround(us, spread))),
  ]);
  const ms = { baseline: [10, 10, 10], scenario: [30, 31, 32] };
  result.startUps = [{ task: 'default', scenario: 'row-1', ms }];
  change(result);
  return analyse(result);
}

function neighboursOf(run: Run): Neighbours[] {
  return productNeighbours(run, (row) => !isMarked(run, row));
}

function textsOf(run: Run): string[] {
  return neighbourTexts(run, neighboursOf(run));
}

/** Returns the sign of each product, in the order of their names. */
function signsOf(run: Run): string[] {
  const neighbours = neighboursOf(run);
  const all = run.tasks.flatMap((task) => task.rows);
  const rows = all.filter(({ scenario }) => scenario.startsWith('row-'));
  return rows.map((row) => signOf(neighbours, row));
}

test('if all are apart, that is all that is said', () => {
  const run = runOf([[20], [25], [30]]);
  expect(textsOf(run)).toEqual(['Each cost in CPU is surely larger than the one above it.']);
  expect(signsOf(run)).toEqual(['', '', '']);
});

test('a sign stands behind a row that is like the one above it, another if that is not known', () => {
  const run = runOf([[20], [20.01], [30, 3], [30.5, 3]]);
  expect(textsOf(run)).toEqual([
    'Each cost in CPU is surely larger than the one above it, but for ≈ (a request of both takes the same within 10 %) and ? (not known).',
  ]);
  expect(signsOf(run)).toEqual(['', '≈', '', '?']);
});

test('only the signs are explained that a table has', () => {
  expect(textsOf(runOf([[20], [20.01], [20.02]]))).toEqual([
    'Each cost in CPU is surely larger than the one above it, but for ≈ (a request of both takes the same within 10 %).',
  ]);
  expect(textsOf(runOf([[20], [30, 3], [30.5, 3], [31, 3]]))).toEqual([
    'Each cost in CPU is surely larger than the one above it, but for ? (not known).',
  ]);
});

test('a row of two pairs is not compared, and the sentence says so', () => {
  const run = runOf([[20], [25], [30]], (result) => {
    const [first] = result.pairs.filter(({ scenario }) => scenario === 'row-3');
    const others = result.pairs.filter(({ scenario }) => scenario !== 'row-3');
    result.pairs = first ? [...others, first, structuredClone(first)] : others;
  });
  expect(textsOf(run)).toEqual([
    'Each cost in CPU, with 3 pairs or more, is surely larger than the one above it.',
  ]);
});

test('a row is held against those of its own task', () => {
  const run = runOf([[20], [25]], ({ suite }) => {
    suite.tasks.push(fakeTask('another', ['row-1']));
  });
  expect(textsOf(run)).toEqual([
    'Each cost in CPU is surely larger than the one above it in its task.',
  ]);
});

test('nothing is said of what is no product, nor of a single one', () => {
  expect(textsOf(runOf([[20]]))).toEqual([]);
  const servers = runOf([[20], [25]], (result) => {
    result.startUps = [];
  });
  expect(textsOf(servers)).toEqual([]);
});
