import { describe, expect, test } from 'bun:test';
import { warningsOfPairs } from '../../testing/fake-analysis.ts';
import { fakeExported, fakeFault } from '../../testing/fakes.ts';

describe('rate-not-held', () => {
  const foundIn = (count: number) =>
    warningsOfPairs(({ duets: [slice] }, index) => {
      if (index < count && slice) slice.rateShortfall = '7 of 10 requests';
    });

  test('more than a tenth of the slices', () => {
    const text =
      'Other: figures are of fewer slices: ' +
      'the rate was not held in 5 of 25 slices (7 of 10 requests)';
    expect(foundIn(5)).toMatchObject([{ kind: 'rate-not-held', scenario: 'other', text }]);
    expect(foundIn(2)).toEqual([]);
  });

  test('a row without figures is invalid, and no more; the remedy is that of the rate', () => {
    const found = warningsOfPairs((pair, index) => {
      for (const slice of pair.duets) slice.rateShortfall = '7 of 10 requests';
      pair.faults.push(fakeFault({ kind: 'rate-not-held', scenario: null }));
      pair.isSteady = index > 3;
      pair.exported.scenario = fakeExported(1_000, 900);
    });
    expect(found).toMatchObject([
      { kind: 'invalid', remedy: expect.stringContaining('Use a lower --rate') },
    ]);
  });

  test('no other warning looks at them', () => {
    const found = warningsOfPairs(({ duets: [slice] }, index) => {
      if (index > 0 || !slice) return;
      slice.rateShortfall = '7 of 10 requests';
      slice.scenario.toolSleeps = slice.scenario.requests * 20;
      if (slice.cores) slice.cores.server.stealNs = 5e8;
    });
    expect(found).toEqual([]);
  });
});
