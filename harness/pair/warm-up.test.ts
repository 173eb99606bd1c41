import { describe, expect, test } from 'bun:test';
import { sliceSecondsFor, slowestRateIn } from './slice-length.ts';
import { isSteady } from './steadiness.ts';

/** Slices in which the scenario costs so many times what the baseline does. */
const slices = (ratios: (number | null)[], compilerShare: number | null = 0, requests = 50_000) =>
  ratios.map((ratio) => {
    const of = (cpuNs: number | null) => {
      const compilerNs = compilerShare === null ? null : compilerShare * Number(cpuNs);
      return {
        requests,
        underWay: 0,
        seconds: 1,
        watchedMs: 1_000,
        errors: [],
        cpuNs,
        compilerNs,
      };
    };
    return { baseline: of(1e9), scenario: of(ratio && 1e9 * ratio) };
  });

describe('a pair is steady', () => {
  test('after three slices at least, if the ratio of its servers does not move in one direction', () => {
    expect(isSteady(slices([1.4, 1.4]))).toBe(false);
    expect(isSteady(slices([1.4, 1.4, 1.4]))).toBe(true);
    expect(isSteady(slices([1.4, 1.2, 1.5]))).toBe(true);
    expect(isSteady(slices([1.8, 1.4, 1.3]))).toBe(false);
    expect(isSteady(slices([1.1, 1.2, 1.3]))).toBe(false);
    expect(isSteady(slices([1.8, 1.31, 1.3, 1.29]))).toBe(true);
  });

  test('not while a compiler is at work', () => {
    expect(isSteady(slices([1.4, 1.4, 1.4], 0.03))).toBe(false);
    expect(isSteady([...slices([1.4, 1.4, 1.4], 0.03), ...slices([1.4])])).toBe(true);
  });

  test('only after 3,000 answers without its compiler, or after ten slices', () => {
    const slow = (count: number, requests: number) =>
      isSteady([
        ...slices([1.4, 1.4, 1.4], 0.2, requests),
        ...slices(Array(count).fill(1.4), 0, requests),
      ]);
    expect(slow(4, 600)).toBe(false);
    expect(slow(5, 600)).toBe(true);
    expect(slow(7, 5)).toBe(false);
    expect(slow(10, 5)).toBe(true);
    expect(slow(7, 0)).toBe(false);
  });

  test('after ten slices, if no thread of a server shows its compiler', () => {
    expect(isSteady(slices(Array(9).fill(1.4), null))).toBe(false);
    expect(isSteady(slices(Array(10).fill(1.4), null))).toBe(true);
  });

  test('by what both did under load at once, and its compiler in all slices of a server', () => {
    const alone = (compilerShare: number) =>
      slices([1.4], compilerShare).map(({ scenario }) => ({ scenario }));
    expect(isSteady([...slices([1.4, 1.4]), ...alone(0)])).toBe(false);
    expect(isSteady([...slices([1.4]), ...alone(0.03), ...alone(0), ...slices([1.4, 1.4])])).toBe(
      true,
    );
    expect(isSteady([...slices([1.4, 1.4, 1.4]), ...alone(0.03)])).toBe(false);
    expect(isSteady([...slices([1.4, 1.4, 1.4], 0.03), ...alone(0)])).toBe(false);
    expect(isSteady([...slices([1.4, 1.4, 1.4], 0.03), ...alone(0), ...slices([1.4])])).toBe(true);
  });

  test('if the system tells nothing that speaks against it', () => {
    expect(isSteady(slices([null, null, null]))).toBe(true);
  });
});

test('the rate of the slower server is that of its last slice, when it is warm', () => {
  const at = (rate: number) => slices([1.4], 0, rate);
  const alone = at(400).map(({ scenario }) => ({ scenario }));
  expect(slowestRateIn([...at(50), ...at(400)])).toBe(400);
  expect(slowestRateIn([...at(300), ...alone])).toBe(300);
  const cold = at(5_000).flatMap(({ baseline }) =>
    at(50).map(({ scenario }) => ({ baseline, scenario })),
  );
  expect(slowestRateIn([...cold, ...alone])).toBe(400);
  const failed = at(0).map(({ baseline, scenario }) => ({
    baseline: { ...baseline, seconds: 0 },
    scenario,
  }));
  expect(slowestRateIn([...at(400), ...failed])).toBe(400);
  expect(slowestRateIn([])).toBe(Number.POSITIVE_INFINITY);
});

test('a slice lasts as long as some 200 answers take, within limits', () => {
  expect(sliceSecondsFor(50_000, 1)).toBe(1);
  expect(sliceSecondsFor(50, 1)).toBe(4);
  expect(sliceSecondsFor(50, 10)).toBe(10);
  expect(sliceSecondsFor(0, 1)).toBe(30);
  expect(sliceSecondsFor(Number.POSITIVE_INFINITY, 1)).toBe(1);
});
