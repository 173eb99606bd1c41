import { expect, test } from 'bun:test';
import type { Judgement, Verdict } from '../analysis/gate.ts';
import { COST, EXCEEDS, MISSING, judgedByCpu as ofCpu, PASSES } from '../testing/fake-verdicts.ts';
import { gateLines, gateSentence, OUT_OF_TIME } from './gate-text.ts';

const ofP99 = (...verdicts: Verdict[]): Judgement => {
  return { quantity: 'p99Us', limit: { value: 1, unit: 'us' }, verdicts };
};

const UNDECIDED: Verdict = {
  kind: 'undecided',
  title: 'GET /orders',
  cost: {
    ...COST,
    changeUs: { value: 0.14, low: -0.05, high: 0.33 },
    relative: { value: 0.014, low: -0.005, high: 0.033 },
    pairs: 20,
  },
};

test('a row that is not decided says how far it is, and how many pairs would tell', () => {
  const limited = (value: number, unit: 'us' | '%') =>
    gateLines([{ ...ofCpu(UNDECIDED), limit: { value, unit } }]);
  expect(limited(3, '%')).toEqual([
    'not decided: GET /orders adds +1.4 ±1.9 % to CPU per request after 20 pairs, ' +
      'perhaps more than 3 %: give it more pairs (--pairs 29), or choose another limit',
  ]);
  expect(limited(0.3, 'us')).toEqual([
    'not decided: GET /orders adds +0.14 ±0.19 µs to CPU per request after 20 pairs, ' +
      'perhaps more than 0.3 µs: give it more pairs (--pairs 29), or choose another limit',
  ]);
  // More pairs than anybody waits for are no remedy.
  expect(limited(1.5, '%')[0]).toEndWith('judge for yourself, or choose another limit');
  expect(gateLines([ofCpu({ kind: 'too-few-pairs', title: 'Other', pairs: 1 })])).toEqual([
    'not decided: Other has 1 pair, too few to tell: give it more (--pairs 10)',
  ]);
  const few: Verdict = { kind: 'too-few-pairs', title: 'Other', pairs: 4, pairsNeeded: 34 };
  expect(gateLines([ofP99(few)])).toEqual([
    'not decided: Other has 4 pairs, too few to tell: ' +
      'give it more (--pairs 34), or longer ones (--duration)',
  ]);
});

test('where more pairs are no remedy, another stands in their place', () => {
  const few: Verdict = { kind: 'too-few-pairs', title: 'Other', pairs: 0 };
  const judgement = { ...ofCpu(UNDECIDED, few), limit: { value: 3, unit: '%' } as const };
  expect(gateLines([judgement], OUT_OF_TIME)).toEqual([
    'not decided: GET /orders adds +1.4 ±1.9 % to CPU per request after 20 pairs, ' +
      'perhaps more than 3 %: give it more time (--at-most), or choose another limit',
    'not decided: Other has 0 pairs, too few to tell: give it more time (--at-most)',
  ]);
});

test('a row that is not what it reads says why, and what to do about it', () => {
  const tooLow: Verdict = { kind: 'reads-too-low', title: 'Other', reason: 'records-lost' };
  const tooHigh: Verdict = { kind: 'reads-too-high', title: 'Third', reason: 'work-put-off' };
  expect(gateLines([ofCpu(tooLow, tooHigh)])).toEqual([
    'not decided: Other reads too low, since spans or log records were lost: ' +
      'use a larger buffer, or an exporter that keeps up',
    'not decided: Third reads too high, since what it is compared with was still at work ' +
      'when its load had ended: measure at a rate that it can keep up with (--rate)',
  ]);
  expect(gateSentence([ofCpu(tooLow, tooHigh, PASSES)])).toBe(
    'Not decided: of 3 rows, 2 may be above the limit.',
  );
});

test('a row that passes has no line', () => {
  expect(gateLines([])).toEqual([]);
  expect(gateLines([ofCpu(PASSES)])).toEqual([]);
});

test('a row above the limit has a line with its cost, in the unit of what is limited', () => {
  expect(gateLines([ofCpu(EXCEEDS)])).toEqual([
    'Other adds +2.00 ±0.10 µs (+20.0 ±1.0 %) to CPU per request, above 1.8 µs',
  ]);
  expect(gateLines([ofP99(EXCEEDS)])).toEqual([
    'Other adds +0.0020 ±0.0001 ms (+20.0 ±1.0 %) to p99, above 0.001 ms',
  ]);
  expect(gateLines([{ ...ofCpu(EXCEEDS), limit: { value: 5, unit: '%' } }])).toEqual([
    'Other adds +2.00 ±0.10 µs (+20.0 ±1.0 %) to CPU per request, above 5 %',
  ]);
});

test('a row that both limits can not judge has one line, with its reason', () => {
  expect(gateLines([ofCpu(MISSING), ofP99(MISSING)])).toEqual(['Third could not be judged: gone']);
});

test('the remedy for what is missing is named if something else was judged', () => {
  const remedies = { notJudged: '--allow-missing accepts that' };
  expect(gateLines([ofCpu(PASSES, MISSING)], remedies)).toEqual([
    'Third could not be judged: gone; --allow-missing accepts that',
  ]);
  expect(gateLines([ofCpu(MISSING)], remedies)).toEqual(['Third could not be judged: gone']);
});

test('a run without rows says that nothing was judged', () => {
  expect(gateLines([ofCpu()])).toEqual(['Nothing was measured that could be judged']);
});

test('a gate says in a sentence whether it passed', () => {
  const verdicts: Record<string, Verdict> = {
    passes: { kind: 'passes', title: 'A' },
    few: { kind: 'too-few-pairs', title: 'B', pairs: 1 },
    missing: { kind: 'not-judged', title: 'C', reason: 'gone' },
  };
  const sentence = (...names: string[]) => {
    const judgement: Judgement = {
      quantity: 'cpuUs',
      limit: { value: 5, unit: '%' },
      verdicts: names.map((name) => verdicts[name] as Verdict),
    };
    return gateSentence([judgement]);
  };
  expect(gateSentence([])).toBe('');
  expect(gateSentence([], false)).toBe('');
  expect(sentence('passes')).toBe('Passed: 1 row, each surely within the limit.');
  expect(sentence('passes', 'few')).toBe('Not decided: of 2 rows, 1 may be above the limit.');
  expect(sentence('passes', 'missing')).toBe('Failed: of 2 rows, 1 could not be judged.');
});
