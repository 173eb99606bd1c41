import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { costsAround, fakeExported, fakePairs, fakeSweep } from '../testing/fakes.ts';
import { curveTables } from './tables.ts';

/** Pairs of a sweep on a line, but for so many lost spans at the last value. */
function pairsOfSweep(count: number, received: number) {
  return [0, 1, 2, 20].flatMap((value) =>
    fakePairs(`spans-${value}`, costsAround(12 + value).slice(0, count)).map((pair) => ({
      ...pair,
      exported: {
        ...pair.exported,
        scenario: fakeExported(100, value === 20 ? received : 100),
      },
    })),
  );
}

test.each([
  ['n.s.', 0.01],
  ['not known', 2],
])('what each unit more adds is %s if pairs differ by ±%d µs', (text, spread) => {
  const pairs = [0, 1, 2, 20].flatMap((value) =>
    fakePairs(
      `spans-${value}`,
      [-1, 1, 0, 0.5, -0.5].map((part) => 12 + part * spread),
    ),
  );
  const [table] = curveTables(fakeAnalysis(fakeSweep('spans', [0, 1, 2, 20]), pairs));
  expect(table?.rows[0]?.[2]?.text).toStartWith(text);
});

test.each([
  [5, 100, 'yes'],
  [5, 90, 'yes; without SPANS=20'],
  // Two pairs do not tell whether a line fits.
  [2, 100, '-'],
  [2, 90, 'without SPANS=20'],
])(
  'a line through %i pairs a value, of which %i %% of spans arrived, fits: %s',
  (count, received, text) => {
    const [table] = curveTables(
      fakeAnalysis(fakeSweep('spans', [0, 1, 2, 20]), pairsOfSweep(count, received)),
    );
    expect(table?.rows[0]?.at(-1)).toMatchObject({ text });
  },
);
