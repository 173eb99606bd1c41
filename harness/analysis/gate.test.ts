import { describe, expect, test } from 'bun:test';
import type { Limit, Pair, Result } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { asRevisions, fakeExported, fakeFault, fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse, type Run } from './analysis.ts';
import { type Comparison, compareRuns } from './compare.ts';
import {
  type GateAnswer,
  gateAnswer,
  judgeComparisons,
  judgeRun,
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
  test('passes only if its whole interval does, in µs or in % of the baseline', () => {
    const kindsAt = (value: number, unit: Limit['unit']) => kindsOf({ failAbove: { value, unit } });
    expect(kindsAt(2.1, 'us')).toEqual(['passes']);
    expect(kindsAt(2, 'us')).toEqual(['undecided']);
    expect(kindsAt(1.9, 'us')).toEqual(['exceeds']);
    expect(kindsAt(21, '%')).toEqual(['passes']);
    expect(kindsAt(20, '%')).toEqual(['undecided']);
    expect(kindsAt(19, '%')).toEqual(['exceeds']);
  });

  test('at the limit exactly, with both ends: passes at the upper, is undecided at the lower', () => {
    const { low, high } = fakeAnalysis().tasks[0]?.rows[0]?.change.cpuUs ?? { low: 0, high: 0 };
    expect(kindsOf({ failAbove: { value: high, unit: 'us' } })).toEqual(['passes']);
    expect(kindsOf({ failAbove: { value: low, unit: 'us' } })).toEqual(['undecided']);
  });

  test('is judged by p99 in µs, apart from its CPU time', () => {
    const failAbove: Limit = { value: 1.9, unit: 'us' };
    expect(kindsOf({ failAboveP99: 1e6 })).toEqual(['passes']);
    expect(kindsOf({ failAboveP99: 1 })).toEqual(['exceeds']);
    expect(kindsOf({ failAboveP99: 600 })).toEqual(['undecided']);
    expect(kindsOf({ failAbove, failAboveP99: 1e6 })).toEqual(['exceeds', 'passes']);
  });

  test('is not decided by one pair or two, which tell no interval worth the name', () => {
    for (const costsUs of [[12], [12, 12.1]]) {
      const run = fakeAnalysis(undefined, fakePairs('other', costsUs));
      expect(kindsOf({ failAbove: { value: 1, unit: 'us' } }, run)).toEqual(['too-few-pairs']);
      expect(kindsOf({ failAboveP99: 1 }, run)).toEqual(['too-few-pairs']);
    }
  });

  test('of p99 is not decided by too few answers, and says how many pairs bring enough', () => {
    const run = fakeAnalysis(({ pairs }) => {
      for (const { alternating } of pairs)
        for (const { scenario } of alternating) scenario.requests = 50;
    });
    const [judgement] = judgeRun(run, { failAboveP99: 600 });
    const few = { kind: 'too-few-pairs', title: 'Other', pairs: 5, pairsNeeded: 10 };
    expect(judgement?.verdicts).toMatchObject([few]);
  });

  test('of a cost that reads too low, since spans were lost, may exceed a limit but passes none', () => {
    const run = fakeAnalysis(({ pairs }) => {
      for (const { exported, scenario } of pairs)
        if (scenario === 'other') exported.scenario = fakeExported(1_000, 600);
    });
    const kindsAt = (value: number) => kindsOf({ failAbove: { value, unit: 'us' } }, run);
    expect(kindsAt(1.9)).toEqual(['exceeds']);
    expect(kindsAt(2)).toEqual(['reads-too-low']);
    expect(kindsAt(9)).toEqual(['reads-too-low']);
    expect(gateAnswer(judgeRun(run, { failAbove: { value: 9, unit: 'us' } }))).toBe('undecided');
  });

  test('of a revision reads too low if it loses more spans than the old one', () => {
    const kindsWith = (received: number) => {
      const run = fakeAnalysis(({ pairs, suite, ...result }) => {
        pairs.splice(0, 5);
        for (const { exported } of pairs) {
          exported.baseline = fakeExported(1_000, 600);
          exported.scenario = fakeExported(1_000, received);
        }
        asRevisions({ ...result, pairs, suite });
      });
      return kindsOf({ failAbove: { value: 50, unit: '%' } }, run);
    };
    expect(kindsWith(598)).toEqual(['passes']);
    expect(kindsWith(300)).toEqual(['reads-too-low']);
  });

  test('reads too low, too, if the server was still at work when the load had ended', () => {
    const verdictsWith = (afterLoad: number, change: (result: Result) => void = () => {}) => {
      const run = fakeAnalysis((result) => {
        for (const pair of result.pairs)
          pair.restingShares = {
            beforeLoad: { baseline: 0, scenario: 0 },
            afterLoad: { baseline: 0.3, scenario: afterLoad },
          };
        change(result);
      });
      const judgements = judgeRun(run, { failAbove: { value: 50, unit: '%' } });
      return judgements.flatMap(({ verdicts }) => verdicts);
    };
    expect(verdictsWith(0)).toMatchObject([{ kind: 'passes' }]);
    expect(verdictsWith(0.31)).toMatchObject([{ kind: 'reads-too-low', reason: 'work-put-off' }]);
    const asTwoRevisions = (result: Result) => {
      result.pairs.splice(0, 5);
      asRevisions(result);
    };
    expect(verdictsWith(0.31, asTwoRevisions)).toMatchObject([{ kind: 'passes' }]);
    expect(verdictsWith(0.4, asTwoRevisions)).toMatchObject([{ kind: 'reads-too-low' }]);
  });

  test('of a revision beside an old one that lost more spans may pass, but exceeds no limit', () => {
    const run = fakeAnalysis((result) => {
      result.pairs.splice(0, 5);
      for (const { exported } of result.pairs) {
        exported.baseline = fakeExported(1_000, 600);
        exported.scenario = fakeExported(1_000, 1_000);
      }
      asRevisions(result);
    });
    const kindsAt = (value: number) => kindsOf({ failAbove: { value, unit: '%' } }, run);
    expect(kindsAt(19)).toEqual(['reads-too-high']);
    expect(kindsAt(20)).toEqual(['undecided']);
    expect(kindsAt(21)).toEqual(['passes']);
    expect(gateAnswer(judgeRun(run, { failAbove: { value: 19, unit: '%' } }))).toBe('undecided');
  });

  test('reads too high, too, if the baseline lost spans or was still at work, but not by p99', () => {
    const losesSpans = ({ exported }: Pair) => {
      exported.baseline = fakeExported(1_000, 600);
    };
    const isAtWork = (pair: Pair) => {
      pair.restingShares = {
        beforeLoad: { baseline: 0, scenario: 0 },
        afterLoad: { baseline: 0.3, scenario: 0 },
      };
    };
    for (const edit of [losesSpans, isAtWork]) {
      const run = fakeAnalysis(({ pairs }) => pairs.forEach(edit));
      const kindsAt = (value: number) => kindsOf({ failAbove: { value, unit: 'us' } }, run);
      expect(kindsAt(1.9)).toEqual(['reads-too-high']);
      expect(kindsAt(2.1)).toEqual(['passes']);
      expect(kindsOf({ failAboveP99: 1 }, run)).toEqual(['exceeds']);
    }
  });

  test('that may read too low or too high neither passes nor exceeds', () => {
    const run = fakeAnalysis(({ pairs }) => {
      for (const { exported } of pairs) {
        exported.baseline = fakeExported(1_000, 600);
        exported.scenario = fakeExported(1_000, 600);
      }
    });
    const kindsAt = (value: number) => kindsOf({ failAbove: { value, unit: 'us' } }, run);
    expect(kindsAt(1.9)).toEqual(['reads-too-high']);
    expect(kindsAt(9)).toEqual(['reads-too-low']);
  });

  test('can not be judged if it was skipped, or has a fault', () => {
    const faulty = fakePairs('other', [12]).map((pair) => ({ ...pair, faults: [fakeFault()] }));
    expect(kindsOf({ failAboveP99: 1 }, fakeAnalysis(undefined, faulty))).toEqual(['not-judged']);
    const [judgement] = judgeRun(withSkipped(fakeAnalysis()), { failAboveP99: 1e6 });
    expect(judgement?.verdicts[1]).toEqual({ kind: 'not-judged', title: 'Third', reason: 'gone' });
  });
});

describe('a gate', () => {
  test('passes without limits, and if all rows pass', () => {
    expect(judgeRun(fakeAnalysis(), {})).toEqual([]);
    expect(gateAnswer([])).toBe('passed');
    // A run without a gate fails for other reasons.
    expect(gateAnswer([], false)).toBe('passed');
    expect(gateAnswer(judgeRun(fakeAnalysis(), { failAboveP99: 1e6 }))).toBe('passed');
  });

  test('fails by one row above its limit, one that can not be judged, or without any row', () => {
    const failAbove: Limit = { value: 9, unit: 'us' };
    expect(gateAnswer(judgeRun(fakeAnalysis(), { failAbove, failAboveP99: 1 }))).toBe('failed');
    expect(gateAnswer(judgeRun(withSkipped(fakeAnalysis()), { failAbove }))).toBe('failed');
    expect(gateAnswer(judgeComparisons([], { failAbove, allowMissing: true }))).toBe('failed');
  });

  test('is not decided by one row that is not, unless another fails', () => {
    const failAbove: Limit = { value: 2, unit: 'us' };
    const answerOf = (run: Run, limits: RunLimits) => gateAnswer(judgeRun(run, limits));
    expect(answerOf(fakeAnalysis(), { failAbove })).toBe('undecided');
    expect(answerOf(fakeAnalysis(), { failAbove, failAboveP99: 1e6 })).toBe('undecided');
    expect(answerOf(fakeAnalysis(), { failAbove, failAboveP99: 1 })).toBe('failed');
    expect(answerOf(withSkipped(fakeAnalysis()), { failAbove })).toBe('failed');
    const single = fakeAnalysis(undefined, fakePairs('other', [12]));
    expect(answerOf(single, { failAbove })).toBe('undecided');
  });

  test('of comparisons accepts what is missing only if that is allowed', () => {
    const missing: Comparison = { title: 'Third', cost: null, missing: 'gone' };
    const comparisons = [compared([12, 12, 12]), missing];
    const answerOf = (allowMissing: boolean) =>
      gateAnswer(
        judgeComparisons(comparisons, { failAbove: { value: 1, unit: 'us' }, allowMissing }),
      );
    expect(answerOf(true)).toBe('passed');
    expect(answerOf(false)).toBe('failed');
  });
});

/** What became of a row that took 12 µs, and takes these now. */
function compared(newUs: number[]): Comparison {
  const runOf = (costsUs: number[]) => analyse(fakeResult(fakePairs('other', costsUs)));
  return compareRuns(runOf([12, 12, 12]), runOf(newUs))[0] as Comparison;
}

test('a change between runs exceeds a limit or passes only if its whole interval does', () => {
  const answerOf = (newUs: number[], value: number, unit: Limit['unit']): GateAnswer => {
    const options = { failAbove: { value, unit }, allowMissing: false };
    return gateAnswer(judgeComparisons([compared(newUs)], options));
  };
  expect(answerOf([13.9, 14, 14.1], 1, 'us')).toBe('failed');
  expect(answerOf([13.9, 14, 14.1], 10, '%')).toBe('failed');
  expect(answerOf([13.9, 14, 14.1], 20, '%')).toBe('passed');
  expect(answerOf([12.1, 14, 15.9], 1, 'us')).toBe('undecided');
  expect(answerOf([9.9, 10, 10.1], 0, '%')).toBe('passed');
  expect(answerOf([14], 1, 'us')).toBe('undecided');
});

test('a row that the new result lacks can not be judged, also if the old one had too few pairs', () => {
  const runOf = (scenario: string) => analyse(fakeResult(fakePairs(scenario, [12])));
  const lost = runOf('other');
  lost.tasks = lost.tasks.map((task) => ({ ...task, rows: [] }));
  const options = { failAbove: { value: 1, unit: '%' } as const, allowMissing: false };
  const [judgement] = judgeComparisons(compareRuns(runOf('other'), lost), options);
  expect(judgement?.verdicts).toMatchObject([
    { kind: 'not-judged', reason: 'not in the new result' },
  ]);
});
