import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeExported } from '../testing/fakes.ts';
import { cellText, intervalText } from './cells.ts';
import { COLUMNS } from './columns.ts';

const around = (value: number, halfWidth: number) => ({ value, low: value - halfWidth, high: value + halfWidth });

test.each([
  ['latencyUs', around(185, 46), '+0.185 ±0.046 ms'],
  ['latencyUs', around(10, 50), 'n.s. (+0.010 ±0.050 ms)'],
  ['latencyUs', around(-310_000, 25_000), '-310 ±25 ms'],
  ['cpuUs', around(2.144, 0.261), '+2.14 ±0.26 µs'],
  ['cpuUs', around(0.0004, 0.03), 'n.s. (0.000 ±0.030 µs)'],
  ['cpuUs', around(2, 0), '+2.0000 ±0.0000 µs'],
  ['relative', around(-0.183, 0.012), '-18.3 ±1.2 %'],
  ['memoryBytes', around(2 ** 20, 2 ** 19), '+1.00 ±0.50 MiB'],
  ['startUpMs', around(23, 3), '+23.0 ±3.0 ms'],
] as const)('%s %j is %s', (quantity, interval, text) => {
  expect(intervalText(quantity, interval)).toBe(text);
  expect(cellText({ interval, quantity })).toBe(text);
});

test('one pair has no interval; what could not be computed is a dash', () => {
  const endless = around(185, Number.POSITIVE_INFINITY);
  expect(intervalText('latencyUs', endless)).toBe('+0.18 ms (1 pair: no interval)');
  expect(intervalText('startUpMs', endless)).toBe('+185 ms (too few starts: no interval)');
  expect(intervalText('latencyUs', endless, true)).toBe('+0.18 ms');
  expect(intervalText('relative', around(Number.NaN, Number.NaN))).toBe('-');
});

/** The cell of a column for the first scenario of a fake run. */
function figureIn(heading: string, part: 'load' | 'resources', change: Parameters<typeof fakeAnalysis>[0]) {
  const [task] = fakeAnalysis(change).tasks;
  const column = COLUMNS.find((each) => each.heading === heading && each.parts.includes(part));
  const cell = task?.rows[0] && column?.cell(task.rows[0]);
  return cell && cellText(cell);
}

test('units of columns: bytes, and shares', () => {
  const exporting = figureIn('Spans lost', 'resources', ({ pairs }) => {
    for (const { exported } of pairs) exported.scenario = fakeExported(10_000, 9_990);
  });
  expect(exporting).toBe('0.1 %');
  expect(figureIn('Memory', 'resources', () => {})).toBe('95.4 MiB');
  expect(figureIn('p95', 'load', () => {})).toBe('2.40 ms');
});
