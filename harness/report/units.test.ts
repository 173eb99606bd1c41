import { expect, test } from 'bun:test';
import { asDuration, asGiB, asMs, asMsChange, asPercentChange, asRate } from './units.ts';

test('µs become ms, with a third decimal below 0.1 ms', () => {
  expect(asMs(1_654)).toBe('1.65 ms');
  expect(asMs(54.4)).toBe('0.054 ms');
  expect(asMsChange(2_214)).toBe('+2.21 ms');
  expect(asMsChange(-31)).toBe('-0.031 ms');
});

test('ratios become percentages', () => {
  expect(asPercentChange(0.0512)).toBe('+5.1 %');
  expect(asPercentChange(-0.5)).toBe('-50.0 %');
});

test('rates, sizes and lengths of time', () => {
  expect(asRate(60_459.74)).toBe('60460');
  expect(asGiB(8 * 1024 ** 3)).toBe('8.0 GiB');
  expect(asDuration(45.2)).toBe('45 s');
  expect(asDuration(487)).toBe('8 min');
});
