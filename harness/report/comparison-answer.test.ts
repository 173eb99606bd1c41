import { describe, expect, test } from 'bun:test';
import { type Comparison, compareRuns } from '../analysis/compare.ts';
import type { Pair } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeExported, fakePairs } from '../testing/fakes.ts';
import { comparisonAnswer } from './comparison-answer.ts';

/** Pairs of a baseline of 10 µs and a scenario of about `costUs`. */
function around(scenario: string, costUs: number, spread = 0.01): Pair[] {
  return fakePairs(
    scenario,
    [-1, 1, 0, 0.5, -0.5].map((part) => costUs + part * spread),
  );
}

const base = around('base', 10);

describe('the answer of a comparison', () => {
  const runOf = (costUs: number, spread = 0.01) =>
    fakeAnalysis(() => {}, [...base, ...around('other', costUs, spread)]);
  const answer = (oldUs: number, newUs: number, spread = 0.01) =>
    comparisonAnswer(compareRuns(runOf(oldUs, spread), runOf(newUs, spread)));

  test.each([
    [
      12,
      15,
      /^Other: a request takes 25\.\d+ ±\d\.\d+ % more CPU than before, 3\.\d+ ±0\.\d+ µs\.$/,
    ],
    [15, 12, /^Other: a request takes 20\.\d+ ±\d\.\d+ % less CPU than before, /],
    [12, 12, /^No change was found: no request got dearer by more than 0\.\d+ %\.$/],
  ])('from %d to %d µs', (oldUs, newUs, text) => {
    expect(answer(oldUs, newUs)).toMatch(text);
  });

  test('is not "no change" if that is not known', () => {
    expect(answer(12, 12, 3)).toMatch(/^Other: the change is not known \(.*Use more --pairs/);
  });

  /** A run that costs 12 µs, and lost spans. */
  const lossyRun = () =>
    fakeAnalysis(
      ({ pairs }) => {
        for (const pair of pairs)
          if (pair.scenario === 'other') pair.exported.scenario = fakeExported(1_000, 700);
      },
      [...base, ...around('other', 12)],
    );

  test('is not "less" if the new one reads too low', () => {
    const lossy = lossyRun();
    expect(comparisonAnswer(compareRuns(runOf(15), lossy))).toMatch(
      /^Other: the change is not known: -20\.\d+ ±\d\.\d+ %, which reads too low, since spans/,
    );
    expect(comparisonAnswer(compareRuns(runOf(10), lossy))).toContain('more CPU than before');
  });

  test('is not "more" if the old one reads too low', () => {
    const lossy = lossyRun();
    expect(comparisonAnswer(compareRuns(lossy, runOf(15)))).toMatch(
      /^Other: the change is not known: \+25\.\d+ ±\d\.\d+ %, which reads too high, since the old server lost/,
    );
    expect(comparisonAnswer(compareRuns(lossy, runOf(10)))).toContain('less CPU than before');
  });

  test('counts the rows that changed, too', () => {
    const runWith = (...costsUs: number[]) =>
      fakeAnalysis(() => {}, [...base, ...costsUs.flatMap((us, at) => around(`row-${at}`, us))]);
    const answerTo = (...costsUs: number[]) =>
      comparisonAnswer(compareRuns(runWith(...costsUs.map(() => 12)), runWith(...costsUs)));
    expect(answerTo(15, 14)).toContain('. So does 1 other row, by less.');
    expect(answerTo(15, 14, 13)).toContain('. So do 2 other rows, by less.');
  });

  test('says if nothing could be compared', () => {
    const missing: Comparison = { title: 'Other', cost: null, missing: 'gone' };
    expect(comparisonAnswer([missing])).toBe('No row could be compared.');
    const comparisons = [...compareRuns(runOf(12), runOf(12)), missing];
    expect(comparisonAnswer(comparisons)).toEndWith('%. 1 row could not be compared.');
  });
});
