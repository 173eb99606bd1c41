import { describe, expect, test } from 'bun:test';
import type { Pair } from '../result/schema.ts';
import { fakePairs } from '../testing/fakes.ts';
import { agreementOf } from './agreement.ts';

const COSTS = [11.9, 12, 12.1, 12, 12.05];

/** Pairs whose scenario answers so much later than its CPU time accounts for, in µs. */
function delayed(byUs: number[], costs = COSTS): Pair[] {
  const pairs = fakePairs('other', costs);
  for (const [index, { alternating }] of pairs.entries())
    for (const { scenario } of alternating)
      if (scenario.latencyUs) scenario.latencyUs.mean += byUs[index % byUs.length] ?? 0;
  return pairs;
}

/** The servers of these pairs are busy only for this share; of the baseline another, if it is given. */
function idle(share: number, baselineShare = share): Pair[] {
  const pairs = delayed([0]);
  for (const { alternating } of pairs)
    for (const { baseline, scenario } of alternating) {
      baseline.cpuNs = (baseline.cpuNs ?? 0) * baselineShare;
      scenario.cpuNs = (scenario.cpuNs ?? 0) * share;
    }
  return pairs;
}

const verdict = (pairs: Pair[], rows = 1) => agreementOf(pairs, 100, rows)?.verdict;

describe('the two columns', () => {
  test('agree if the change of latency is connections x the change of CPU time', () => {
    const found = agreementOf(delayed([0]), 100, 1);
    expect(found?.verdict).toBe('agrees');
    // 2.01 µs more for each of 100 connections.
    expect(found?.expectedUs).toBeCloseTo(201, 6);
    expect(found?.measuredUs).toBeCloseTo(201, 6);
  });

  test('agree within a fifth of the expected change, and disagree beyond it', () => {
    expect(verdict(delayed([30, 31, 32]))).toBe('agrees');
    expect(verdict(delayed([60, 61, 62]))).toBe('disagrees');
    expect(verdict(delayed([-60, -61, -62]))).toBe('disagrees');
  });

  test('are not said to do either if their difference is not known well enough', () => {
    expect(verdict(delayed([-150, 150, 0]))).toBeUndefined();
    expect(verdict(delayed([30, 45, 35]))).toBeUndefined();
    expect(verdict(delayed([60]).slice(0, 1))).toBeUndefined();
  });

  test('more rows need more', () => {
    const pairs = delayed([41.6, 46, 43]);
    expect(verdict(pairs, 1)).toBe('disagrees');
    expect(verdict(pairs, 20)).toBeUndefined();
  });

  test('of a scenario without a cost may differ by what a client adds', () => {
    const none = [10, 10, 10, 10];
    expect(verdict(delayed([5, 6, 7], none))).toBe('agrees');
    expect(verdict(delayed([15, 16, 17], none))).toBe('disagrees');
  });

  test('take into account how busy each server was', () => {
    const pairs = delayed([0]);
    // The baseline waits for the load tool for a tenth of the time: its latency stays, its CPU time is less.
    for (const { alternating, duets } of pairs) {
      for (const { baseline } of alternating) baseline.cpuNs = (baseline.cpuNs ?? 0) * 0.9;
      for (const { baseline } of duets) baseline.cpuNs = (baseline.cpuNs ?? 0) * 0.9;
    }
    expect(verdict(pairs)).toBe('agrees');
  });

  test('are not compared on idle servers, without a clock, or without one kind of slice', () => {
    expect(verdict(idle(0.4))).toBeUndefined();
    expect(verdict(idle(0.6, 0.4))).toBeUndefined();
    expect(verdict(idle(0.6))).toBeDefined();
    const withoutClock = delayed([0]);
    for (const { alternating } of withoutClock) for (const { baseline } of alternating) baseline.cpuNs = null;
    expect(verdict(withoutClock)).toBeUndefined();
    expect(verdict(delayed([0]).map((pair) => ({ ...pair, duets: [] })))).toBeUndefined();
    expect(verdict(delayed([0]).map((pair) => ({ ...pair, alternating: [] })))).toBeUndefined();
    expect(verdict([])).toBeUndefined();
  });
});
