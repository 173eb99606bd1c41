import { describe, expect, test } from 'bun:test';
import type { Pair } from '../result/schema.ts';
import { fakeExported, fakeLoaded, fakePair } from '../testing/fakes.ts';
import { difference, figuresOf, MIN_ANSWERS_OF_P99, samplesOf } from './figures.ts';

/** Two alternating and two duet slices, in numbers that can be checked by hand. */
function pairByHand(): Pair {
  const pair = fakePair();
  const loaded = (requests: number, seconds: number, mean: number, cpuNs: number) => {
    const fake = fakeLoaded({ costUs: 1 });
    return {
      ...fake,
      requests,
      seconds,
      cpuNs,
      latencyUs: fake.latencyUs && { ...fake.latencyUs, mean },
    };
  };
  const alone = { cores: { baseline: null, scenario: null }, rateShortfall: null };
  const together = { cores: null, rateShortfall: null };
  pair.alternating = [
    { baseline: loaded(1_000, 1, 100, 4e8), scenario: loaded(800, 1, 130, 5e8), ...alone },
    { baseline: loaded(3_000, 3, 200, 1.2e9), scenario: loaded(1_000, 2, 210, 1e9), ...alone },
  ];
  pair.duets = [
    { baseline: loaded(100, 1, 1, 1e6), scenario: loaded(100, 1, 1, 2e6), ...together },
    { baseline: loaded(300, 1, 1, 5e6), scenario: loaded(100, 1, 1, 3e6), ...together },
  ];
  return pair;
}

describe('a pair says', () => {
  test('how much later answers come: mean over slices of the difference, in µs', () => {
    expect(difference(pairByHand(), 'latencyUs')).toBeCloseTo(20, 9);
  });

  test('how much CPU time a request takes more, from ns to µs, over all duet slices', () => {
    // 5 ms for 200 requests are 25 µs; 6 ms for 400 are 15 µs.
    expect(difference(pairByHand(), 'cpuUs')).toBeCloseTo(10, 9);
  });

  test('the same over alternating slices, if those tell it', () => {
    // 1.5 s for 1,800 requests are 833 µs; 1.6 s for 4,000 are 400 µs.
    const pair: Pair = { ...pairByHand(), duets: [], cpuFrom: 'alternating' };
    expect(difference(pair, 'cpuUs')).toBeCloseTo(433.33, 2);
  });

  test('nothing of what was not measured', () => {
    const withoutClock = pairByHand();
    for (const { scenario } of withoutClock.duets) scenario.cpuNs = null;
    expect(difference(withoutClock, 'cpuUs')).not.toBeFinite();
    expect(difference(withoutClock, 'latencyUs')).toBeFinite();
    const unanswered = pairByHand();
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

describe('the figures of a server', () => {
  test('have a 99th percentile if enough answers stand behind it, over all of its pairs', () => {
    const slices = 2;
    const pairOf = (requests: number) => {
      const pair = fakePair();
      for (const { scenario } of pair.alternating) scenario.requests = requests;
      return pair;
    };
    const half = MIN_ANSWERS_OF_P99 / slices / 2;
    expect(figuresOf([pairOf(half)], 'scenario')).toMatchObject({ p99Us: null });
    expect(figuresOf([pairOf(half)], 'scenario')?.p50Us).toBeNumber();
    expect(figuresOf([pairOf(half)], 'baseline')?.p99Us).toBeNumber();
    expect(figuresOf([pairOf(half), pairOf(half)], 'scenario')?.p99Us).toBeNumber();
  });

  test('have p99.9 if ten times as many answers stand behind it', () => {
    const pairOf = (requests: number) => {
      const pair = fakePair();
      for (const { scenario } of pair.alternating) {
        scenario.requests = requests / pair.alternating.length;
        if (scenario.latencyUs) scenario.latencyUs.p999 = 3_000;
      }
      return pair;
    };
    expect(figuresOf([pairOf(9_990)], 'scenario')).toMatchObject({ p999Us: null });
    expect(figuresOf([pairOf(10_000)], 'scenario')?.p999Us).toBeNumber();
  });

  test('are over its alternating slices, and CPU time over its duet slices', () => {
    const pair = pairByHand();
    const scenario = figuresOf([pair], 'scenario');
    expect(scenario?.latencyUs).toBeCloseTo(170, 9);
    expect(scenario?.throughput).toBeCloseTo(600, 9);
    expect(scenario?.busyShare).toBeCloseTo(0.5, 9);
    expect(figuresOf([pair], 'baseline')?.cpuUs).toBeCloseTo(15, 9);
  });

  test('say of exported spans what its sink received, and nothing without a sink', () => {
    const pair = pairByHand();
    const nothing = {
      lostShare: null,
      bytesPerRequest: null,
      exportsPerRequest: null,
      spansPerRequest: null,
    };
    expect(figuresOf([pair], 'scenario')).toMatchObject(nothing);
    const payloads = { count: 3, bytes: 4_000, requests: 1_000 };
    pair.exported.scenario = { ...fakeExported(1_000, 995), payloads };
    const exported = {
      lostShare: expect.closeTo(0.005, 9),
      bytesPerRequest: 4,
      exportsPerRequest: 0.003,
    };
    expect(figuresOf([pair], 'scenario')).toMatchObject(exported);
    pair.exported.scenario = fakeExported(0, 0);
    expect(figuresOf([pair], 'scenario')?.lostShare).toBeNull();
  });
});

test('a quantity has one sample a pair, and none if one of them did not measure it', () => {
  expect(samplesOf([pairByHand()], 'cpuUs')).toEqual([
    { baseline: 15, scenario: 25, slices: 'duets', rate: null },
  ]);
  const withoutClock = pairByHand();
  for (const { scenario } of withoutClock.duets) scenario.cpuNs = null;
  expect(samplesOf([pairByHand(), withoutClock], 'cpuUs')).toBeNull();
  expect(samplesOf([], 'cpuUs')).toBeNull();
});
