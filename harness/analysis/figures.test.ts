import { describe, expect, test } from 'bun:test';
import { fakeExported, fakePair, fakePairByHand } from '../testing/fakes.ts';
import { figuresOf, MIN_ANSWERS_OF_P99 } from './figures.ts';

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
    const pair = fakePairByHand();
    const scenario = figuresOf([pair], 'scenario');
    expect(scenario?.latencyUs).toBeCloseTo(170, 9);
    expect(scenario?.throughput).toBeCloseTo(600, 9);
    expect(scenario?.busyShare).toBeCloseTo(0.5, 9);
    expect(figuresOf([pair], 'baseline')?.cpuUs).toBeCloseTo(15, 9);
  });

  test('say of exported spans what its sink received, and nothing without a sink', () => {
    const pair = fakePairByHand();
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
