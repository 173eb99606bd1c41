import { describe, expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeFault, fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse, type Run } from './analysis.ts';
import { type Comparison, compareRuns } from './compare.ts';
import {
  isPassed,
  judgeComparisons,
  judgeRun,
  type Limit,
  type RunLimits,
  type Verdict,
} from './gate.ts';

/** The kinds of all verdicts of a run whose only row costs 2 µs in 10. */
function kindsOf(limits: RunLimits, run = fakeAnalysis()): Verdict['kind'][] {
  return judgeRun(run, limits).flatMap(({ verdicts }) => verdicts.map(({ kind }) => kind));
}

/** A run whose row is not measured, and names why. */
function withSkipped(run: Run): Run {
  const skipped = [{ scenario: 'Third', fault: fakeFault({ what: 'gone' }), tasks: [] }];
  return { ...run, header: { ...run.header, suite: { ...run.header.suite, skipped } } };
}

describe('a row of a run', () => {
  test('passes up to the lower end of its interval, in µs or in % of the baseline', () => {
    expect(kindsOf({ failAbove: { value: 2, unit: 'us' } })).toEqual(['passes']);
    expect(kindsOf({ failAbove: { value: 1.9, unit: 'us' } })).toEqual(['exceeds']);
    expect(kindsOf({ failAbove: { value: 21, unit: '%' } })).toEqual(['passes']);
    expect(kindsOf({ failAbove: { value: 19, unit: '%' } })).toEqual(['exceeds']);
  });

  test('is judged by p99 in µs, apart from its CPU time', () => {
    const failAbove: Limit = { value: 1.9, unit: 'us' };
    expect(kindsOf({ failAboveP99: 1e6 })).toEqual(['passes']);
    expect(kindsOf({ failAboveP99: 1 })).toEqual(['exceeds']);
    expect(kindsOf({ failAbove, failAboveP99: 1e6 })).toEqual(['exceeds', 'passes']);
  });

  test('can not be judged by one pair, nor if it was skipped', () => {
    const single = fakeAnalysis(undefined, fakePairs('other', [12]));
    expect(kindsOf({ failAbove: { value: 1, unit: 'us' } }, single)).toEqual(['not-judged']);
    expect(kindsOf({ failAboveP99: 1 }, single)).toEqual(['not-judged']);
    const [judgement] = judgeRun(withSkipped(fakeAnalysis()), { failAboveP99: 1e6 });
    expect(judgement?.verdicts[1]).toEqual({ kind: 'not-judged', title: 'Third', reason: 'gone' });
  });
});

describe('a gate', () => {
  test('passes without limits, and if all rows pass', () => {
    expect(judgeRun(fakeAnalysis(), {})).toEqual([]);
    expect(isPassed([])).toBe(true);
    expect(isPassed(judgeRun(fakeAnalysis(), { failAboveP99: 1e6 }))).toBe(true);
  });

  test('fails by one row above its limit, one that can not be judged, or without any row', () => {
    const failAbove: Limit = { value: 9, unit: 'us' };
    expect(isPassed(judgeRun(fakeAnalysis(), { failAbove, failAboveP99: 1 }))).toBe(false);
    expect(isPassed(judgeRun(withSkipped(fakeAnalysis()), { failAbove }))).toBe(false);
    expect(isPassed(judgeComparisons([], { failAbove, allowMissing: true }))).toBe(false);
  });

  test('of comparisons accepts what is missing only if that is allowed', () => {
    const missing: Comparison = { title: 'Third', cost: null, missing: 'gone' };
    const comparisons = [compared([12, 12, 12]), missing];
    const passes = (allowMissing: boolean) =>
      isPassed(
        judgeComparisons(comparisons, { failAbove: { value: 1, unit: 'us' }, allowMissing }),
      );
    expect(passes(true)).toBe(true);
    expect(passes(false)).toBe(false);
  });
});

/** What became of a row that took 12 µs, and takes these now. */
function compared(newUs: number[]): Comparison {
  const runOf = (costsUs: number[]) => analyse(fakeResult(fakePairs('other', costsUs)));
  return compareRuns(runOf([12, 12, 12]), runOf(newUs))[0] as Comparison;
}

test('a change between runs exceeds a limit only if its interval lies wholly above it', () => {
  const isFailing = (newUs: number[], value: number, unit: Limit['unit']) => {
    const options = { failAbove: { value, unit }, allowMissing: false };
    return !isPassed(judgeComparisons([compared(newUs)], options));
  };
  expect(isFailing([13.9, 14, 14.1], 1, 'us')).toBe(true);
  expect(isFailing([13.9, 14, 14.1], 10, '%')).toBe(true);
  expect(isFailing([13.9, 14, 14.1], 20, '%')).toBe(false);
  expect(isFailing([12.1, 14, 15.9], 1, 'us')).toBe(false);
  expect(isFailing([9.9, 10, 10.1], 0, '%')).toBe(false);
});
