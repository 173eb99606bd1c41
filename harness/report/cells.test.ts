import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeExported } from '../testing/fakes.ts';
import { intervalText, MIB, MS, PERCENT, US } from './cells.ts';
import { COLUMNS } from './columns.ts';

const around = (value: number, halfWidth: number) => ({ value, low: value - halfWidth, high: value + halfWidth });

test.each([
  [MS, around(185, 46), '+0.185 ±0.046 ms'],
  [MS, around(10, 50), 'n.s. (+0.010 ±0.050 ms)'],
  [MS, around(-310_000, 25_000), '-310 ±25 ms'],
  [MS, around(185, Number.POSITIVE_INFINITY), '+0.18 ms (1 pair: no interval)'],
  [US, around(2.144, 0.261), '+2.14 ±0.26 µs'],
  [US, around(0.0004, 0.03), 'n.s. (0.000 ±0.030 µs)'],
  [US, around(2, 0), '+2.0000 ±0.0000 µs'],
  [PERCENT, around(-0.183, 0.012), '-18.3 ±1.2 %'],
  [PERCENT, around(Number.NaN, Number.NaN), '-'],
  [MIB, around(2 ** 20, 2 ** 19), '+1.00 ±0.50 MiB'],
])('in %j %j is %s', (scale, interval, text) => {
  expect(intervalText(scale, interval)).toBe(text);
});

/** The cell of a column for the first scenario of a fake run. */
function figureIn(heading: string, part: 'load' | 'resources', change: Parameters<typeof fakeAnalysis>[0]) {
  const [task] = fakeAnalysis(change).tasks;
  const column = COLUMNS.find((each) => each.heading === heading && each.parts.includes(part));
  return task?.rows[0] && column?.cell(task.rows[0]);
}

test('units of columns: bytes, and shares', () => {
  const exporting = figureIn('Spans lost', 'resources', ({ pairs }) => {
    for (const { exported } of pairs) exported.scenario = fakeExported(10_000, 9_990);
  });
  expect(exporting).toBe('0.1 %');
  expect(figureIn('Memory', 'resources', () => {})).toBe('95.4 MiB');
  expect(figureIn('p95', 'load', () => {})).toBe('2.40 ms');
});
