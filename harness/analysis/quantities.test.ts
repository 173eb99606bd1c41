import { describe, expect, test } from 'bun:test';
import type { Pair } from '../result/schema.ts';
import { fakePair, fakePairByHand } from '../testing/fakes.ts';
import { difference, samplesOf } from './quantities.ts';

describe('a pair says', () => {
  test('how much later answers come: mean over slices of the difference, in µs', () => {
    expect(difference(fakePairByHand(), 'latencyUs')).toBeCloseTo(20, 9);
  });

  test('how much CPU time a request takes more, from ns to µs, over all duet slices', () => {
    // 5 ms for 200 requests are 25 µs; 6 ms for 400 are 15 µs.
    expect(difference(fakePairByHand(), 'cpuUs')).toBeCloseTo(10, 9);
  });

  test('the same over alternating slices, if those tell it', () => {
    // 1.5 s for 1,800 requests are 833 µs; 1.6 s for 4,000 are 400 µs.
    const pair: Pair = { ...fakePairByHand(), duets: [], cpuFrom: 'alternating' };
    expect(difference(pair, 'cpuUs')).toBeCloseTo(433.33, 2);
  });

  test('nothing of what was not measured', () => {
    const withoutClock = fakePairByHand();
    for (const { scenario } of withoutClock.duets) scenario.cpuNs = null;
    expect(difference(withoutClock, 'cpuUs')).not.toBeFinite();
    expect(difference(withoutClock, 'latencyUs')).toBeFinite();
    const unanswered = fakePairByHand();
    for (const { baseline } of unanswered.alternating)
      Object.assign(baseline, { latencyUs: null, requests: 0 });
    expect(difference(unanswered, 'latencyUs')).not.toBeFinite();
  });

  test('have no change of p99 if one of the servers gave too few answers', () => {
    const pair = fakePair();
    expect(samplesOf([pair], 'p99Us')).toHaveLength(1);
    for (const { scenario } of pair.alternating) scenario.requests = 10;
    expect(samplesOf([pair], 'p99Us')).toBeNull();
    expect(samplesOf([pair], 'latencyUs')).toHaveLength(1);
  });
});

test('a quantity has one sample a pair, and none if one of them did not measure it', () => {
  expect(samplesOf([fakePairByHand()], 'cpuUs')).toEqual([
    { baseline: 15, scenario: 25, slices: 'duets', rate: null },
  ]);
  const withoutClock = fakePairByHand();
  for (const { scenario } of withoutClock.duets) scenario.cpuNs = null;
  expect(samplesOf([fakePairByHand(), withoutClock], 'cpuUs')).toBeNull();
  expect(samplesOf([], 'cpuUs')).toBeNull();
});
