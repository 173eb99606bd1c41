import { describe, expect, test } from 'bun:test';
import type { Side } from '../../result/schema.ts';
import { kindsOf, textsOf, warningsOfPairs } from '../../testing/fake-analysis.ts';
import { fakeExported } from '../../testing/fakes.ts';

describe('dropped-spans', () => {
  const received = (side: Side, of: (index: number) => number, deviation = 0) =>
    warningsOfPairs(({ exported }, index) => {
      exported[side] = fakeExported(10_000, of(index), deviation);
    });

  test('more than one in a thousand, of either server', () => {
    expect(received('scenario', () => 9_991)).toEqual([]);
    const low = 'Other: the cost reads too low: 1 % of its spans never arrived';
    const found = received('scenario', () => 9_900);
    expect(found).toMatchObject([{ kind: 'dropped-spans', scenario: 'other', text: low }]);
    const high = "Other: the cost reads too high: 1 % of the baseline's spans never arrived";
    expect(textsOf(received('baseline', () => 9_900))).toEqual([high]);
  });

  test('answers that the load tool did not see in one pair make up for nothing in another', () => {
    const [found] = received('scenario', (index) => (index === 0 ? 4_000 : 11_000));
    expect(found?.text).toContain('12 % of its spans never arrived');
  });

  test('log records, of either server', () => {
    const found = (side: Side, received: number) =>
      warningsOfPairs(({ exported }) => {
        const logRecords = { expected: 100_000, received };
        exported[side] = { ...fakeExported(10_000, 10_000), logRecords };
      });
    expect(found('scenario', 99_910)).toEqual([]);
    const low = 'Other: the cost reads too low: 12 % of its log records never arrived';
    expect(textsOf(found('scenario', 88_000))).toEqual([low]);
    const high = "Other: the cost reads too high: 12 % of the baseline's log records never arrived";
    expect(textsOf(found('baseline', 88_000))).toEqual([high]);
  });

  test('of sampled requests by more than chance can do', () => {
    // Five pairs with a deviation of 100 each have one of 224 together.
    expect(received('scenario', () => 10_000 - 220, 100)).toEqual([]);
    expect(received('scenario', (index) => (index % 2 === 0 ? 9_700 : 10_300), 100)).toEqual([]);
    expect(kindsOf(received('scenario', () => 10_000 - 230, 100))).toEqual(['dropped-spans']);
  });
});
