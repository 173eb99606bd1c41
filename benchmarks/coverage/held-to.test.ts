import { expect, test } from 'bun:test';
import { meanEstimate } from '../../harness/analysis/mean-estimate.ts';
import { heldTo, heldToText } from './held-to.ts';
import type { PublishedRow } from './published.ts';

const BASELINE = 16;

/** A row of so many pairs, beside a baseline of 16 µs. */
function rowOf(value: number, halfWidth: number, pairs = 5): PublishedRow {
  const interval = { value, low: value - halfWidth, high: value + halfWidth };
  const differences = Array.from({ length: pairs }, () => value);
  const estimate = { ...meanEstimate(differences), ...interval, baseline: BASELINE };
  return { plain: estimate, adjusted: estimate, slope: 1, samples: [] };
}

test('rows that cost more than half of their baseline are held to 15 % of their cost, others to a twentieth of the baseline', () => {
  const dear = [rowOf(16, 1), rowOf(16, 2), rowOf(32, 8), rowOf(-16, 2)];
  const others = [rowOf(8, 0.5), rowOf(0, 0.75), rowOf(1, 1), rowOf(0.25, 0.5)];
  expect(heldTo([...dear, ...others])).toEqual({
    dear: { rows: 4, width: 0.125, known: 0.75 },
    others: { rows: 4, known: 0.75 },
  });
});

test('a row of a single pair counts nowhere', () => {
  const { dear, others } = heldTo([rowOf(16, 1, 1), rowOf(1, 8, 1)]);
  expect(dear).toEqual({ rows: 0, width: Number.NaN, known: Number.NaN });
  expect(others).toEqual({ rows: 0, known: Number.NaN });
});

test('one line says how many rows are known well enough', () => {
  expect(heldToText(heldTo([rowOf(16, 2), rowOf(16, 4), rowOf(1, 0.5)]))).toBe(
    'Rows that cost more than half of their baseline: 2, median ±18.8 %, 50.0 % of them within ' +
      "15 %. All others: 1, 100.0 % of them within a twentieth of the baseline's CPU.",
  );
});
