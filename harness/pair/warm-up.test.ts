import { describe, expect, test } from 'bun:test';
import { isSteady, sliceSecondsFor, type WarmUpSlice } from './warm-up.ts';

const slices = (costs: (number | null)[], compilerShare = 0, requests = 50_000): WarmUpSlice[] =>
  costs.map((cpuUs) => ({ requests, cpuUs, compilerShare }));

describe('a server is steady', () => {
  test('after three slices at least, if its cost has stopped falling', () => {
    expect(isSteady(slices([14, 9]))).toBe(false);
    expect(isSteady(slices([14, 9, 8.9]))).toBe(true);
    expect(isSteady(slices([14, 9, 9.5]))).toBe(true);
  });

  test('not while its cost falls', () => {
    expect(isSteady(slices([14, 10, 9]))).toBe(false);
    expect(isSteady(slices([14, 10, 9, 8.9]))).toBe(true);
  });

  test('not while its compiler is at work', () => {
    expect(isSteady(slices([14, 9, 9], 0.03))).toBe(false);
    expect(isSteady([...slices([14, 9, 9], 0.03), ...slices([9])])).toBe(true);
  });

  test('only after 3,000 answers without its compiler, or after ten slices', () => {
    const slow = (count: number, requests: number) =>
      isSteady([...slices([90, 80, 80], 0.03, requests), ...slices(Array(count).fill(80), 0, requests)]);
    expect(slow(4, 600)).toBe(false);
    expect(slow(5, 600)).toBe(true);
    expect(slow(7, 5)).toBe(false);
    expect(slow(10, 5)).toBe(true);
    expect(slow(7, 0)).toBe(false);
  });

  test('if the system tells nothing that speaks against it', () => {
    expect(isSteady(slices([null, null, null]))).toBe(true);
  });
});

test('a slice lasts as long as some 200 answers take, within limits', () => {
  expect(sliceSecondsFor(50_000, 1)).toBe(1);
  expect(sliceSecondsFor(50, 1)).toBe(4);
  expect(sliceSecondsFor(50, 10)).toBe(10);
  expect(sliceSecondsFor(0, 1)).toBe(30);
  expect(sliceSecondsFor(Number.POSITIVE_INFINITY, 1)).toBe(1);
});
