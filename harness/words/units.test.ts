import { expect, test } from 'bun:test';
import {
  asMs,
  asPercent,
  asUs,
  decimalsOf,
  figureText,
  roundedDown,
  roundedUp,
  signed,
} from './units.ts';

test('figures carry their unit, and about three digits', () => {
  expect(asMs(1_654)).toBe('1.65 ms');
  expect(asMs(54.4)).toBe('0.054 ms');
  expect(asMs(0)).toBe('0 ms');
  expect(asUs(4.153)).toBe('4.15 µs');
  expect(asUs(16.53)).toBe('16.5 µs');
  expect(asUs(25_430.4)).toBe('25430 µs');
  expect(figureText(202_593.4, '/s')).toBe('202593/s');
  expect(figureText(12.34, '/s')).toBe('12.3/s');
  expect(asPercent(0.974)).toBe('97 %');
  expect(asPercent(0.034)).toBe('3.4 %');
  expect(figureText(64.2, 'MiB')).toBe('64.2 MiB');
});

test('a bound is rounded up, so that it still holds', () => {
  expect(roundedUp(0.7801)).toBe(0.79);
  expect(roundedUp(4.21)).toBe(4.3);
  expect(roundedUp(12.01)).toBe(13);
  expect(roundedUp(0.000001)).toBe(0.0001);
});

test('a lower bound is rounded down, so that it holds', () => {
  expect(roundedDown(0.789)).toBe(0.78);
  expect(roundedDown(4.29)).toBe(4.2);
  expect(roundedDown(12.99)).toBe(12);
});

test('a sign, but none before a zero', () => {
  expect(signed(0.185, 3)).toBe('+0.185');
  expect(signed(-18.34, 1)).toBe('-18.3');
  expect(signed(-0.004, 2)).toBe('0.00');
  expect(signed(12.34)).toBe('+12.3');
});

test.each([
  [0.046, 3],
  [0.26, 2],
  [0.0996, 2],
  [1.2, 1],
  [9.96, 0],
  [12, 0],
  [123, 0],
  [0.000_001, 4],
  [0, 4],
])('a half-width of %d deserves %d decimals', (halfWidth, decimals) => {
  expect(decimalsOf(halfWidth)).toBe(decimals);
});
