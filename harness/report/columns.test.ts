import { expect, test } from 'bun:test';
import { intervalCell } from '../words/units.ts';

const around = (value: number, halfWidth: number) => ({
  value,
  low: value - halfWidth,
  high: value + halfWidth,
});

test.each([
  ['latencyUs', around(185, 46), '+0.185 ms ±0.046'],
  ['latencyUs', around(10, 50), '~ +0.010 ms ±0.050'],
  ['latencyUs', around(-310_000, 25_000), '-310 ms ±25'],
  ['cpuUs', around(2.144, 0.261), '+2.14 µs ±0.26'],
  ['cpuUs', around(0.0004, 0.03), '~ 0.000 µs ±0.030'],
  ['cpuUs', around(2, 0), '+2.0000 µs ±0.0000'],
  ['throughput', around(-0.183, 0.012), '-18.3 % ±1.2'],
] as const)('%s %j is %s', (quantity, figure, cell) => {
  expect(intervalCell(quantity, figure)).toBe(cell);
});

test('one pair has no interval; what could not be computed is a dash', () => {
  expect(intervalCell('latencyUs', around(185, Number.POSITIVE_INFINITY))).toMatch(
    /^\+0\.1[89] ms \(1 pair: no interval\)$/,
  );
  expect(intervalCell('throughput', around(Number.NaN, Number.NaN))).toBe('-');
});
