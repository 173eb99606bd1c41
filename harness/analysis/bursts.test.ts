import { describe, expect, test } from 'bun:test';
import type { Loaded, Pair, Side } from '../result/schema.ts';
import { fakeAnalysis, textsOf } from '../testing/fake-analysis.ts';
import { fakeLoaded, fakePair, fakePairs, fakeWarmUp } from '../testing/fakes.ts';

/** What a second of CPU takes of a request: of ~15 s of load, at 82,000 requests/s alone. */
const IN_THE_MEAN_US = 0.8;
const BURST_MS = 1_000;
/** A server while the other is under load alone. */
const IDLE = { watchedMs: 1_000, cpuMs: 2 };

type Place =
  | 'warm-up'
  | 'warm-up-alone'
  | 'alternating'
  | 'duets'
  | 'turns'
  | 'two slices'
  | 'all duets'
  | 'idle time';

/** Pairs of a row that costs 2 µs more than 10, warm for ten slices, after a change of each. */
function warmPairs(change: (pair: Pair, at: number) => void, count = 4): Pair[] {
  // No two slices are wholly alike.
  const costs = (pair: number) =>
    Array.from({ length: 10 }, (_, at) => 12 + 0.05 * ((pair + at) % 3));
  const pairs = Array.from({ length: count }, (_, at) => ({
    ...fakePair('other', 12, 10),
    warmUp: fakeWarmUp([30, 14, ...costs(at)]),
  }));
  for (const [at, pair] of pairs.entries()) change(pair, at);
  return [...fakePairs('base', Array(count).fill(10)), ...pairs];
}

function burst(loaded: Loaded, ms: number): void {
  loaded.cpuNs = Number(loaded.cpuNs) + ms * 1e6;
}

function burstAt(pair: Pair, place: Place, side: Side = 'scenario'): void {
  if (place === 'turns') makeTurns(pair);
  for (const [load, ms] of loadsAt(pair, place, side)) burst(load, ms);
  if (place === 'warm-up') burstInWarmUp(pair.warmUp[7]?.[side]);
  if (place === 'idle time') pair.whileIdle[side].push(IDLE, { ...IDLE, cpuMs: BURST_MS }, IDLE);
  if (place === 'warm-up-alone') {
    pair.warmUp.push(...aloneAtTheEnd());
    burstInWarmUp(pair.warmUp.at(-1)?.scenario);
  }
}

/** Returns the loads that a burst meets, with the CPU time that it takes of each. */
function loadsAt(pair: Pair, place: Place, side: Side): [load: Loaded, ms: number][] {
  if (place === 'alternating')
    return pair.alternating.slice(0, 1).map((slice) => [slice[side], BURST_MS]);
  if (place === 'duets') return pair.duets.slice(1, 2).map((slice) => [slice[side], BURST_MS]);
  if (place === 'two slices')
    return pair.duets.slice(1, 3).map((slice) => [slice[side], BURST_MS / 2]);
  if (place === 'all duets') return pair.duets.map((slice) => [slice[side], 0.5 * BURST_MS]);
  return place === 'turns' ? pair.turns.map((slice) => [slice[side], BURST_MS]) : [];
}

/** The second of each under the whole load with which a warm-up ends on Node. */
function aloneAtTheEnd(): Pair['warmUp'] {
  return fakeWarmUp([12]).flatMap(({ baseline, scenario }) => [
    { baseline, scenario: null },
    { baseline: null, scenario },
  ]);
}

function burstInWarmUp(load: Pair['warmUp'][number][Side] | undefined): void {
  if (load) load.cpuMs = Number(load.cpuMs) + BURST_MS;
}

/** Turns of three seconds in place of duets. */
function makeTurns(pair: Pair): void {
  const seconds = (costUs: number) => ({ ...fakeLoaded({ costUs, share: 1.5 }), seconds: 3 });
  pair.turns = [{ baseline: seconds(10), scenario: seconds(12), cores: null, rateShortfall: null }];
  pair.duets = [];
}

const costOf = (pairs: Pair[]) => fakeAnalysis(undefined, pairs).tasks[0]?.rows[0]?.change.cpuUs;

describe('a burst', () => {
  test.each<Place>([
    'warm-up',
    'warm-up-alone',
    'alternating',
    'duets',
    'turns',
    'two slices',
    'all duets',
    'idle time',
  ])('in %s of each pair reads as what it takes in the mean', (place) => {
    const cost = costOf(warmPairs((pair) => burstAt(pair, place)));
    // Half a second in each of three duets.
    const meanUs = place === 'all duets' ? 1.5 * IN_THE_MEAN_US : IN_THE_MEAN_US;
    expect(cost?.value).toBeGreaterThan(2 + meanUs / 2);
    expect(cost?.value).toBeLessThan(2 + meanUs * 2);
  });

  test('in idle time is not given back to alternating slices, which keep those that are small', () => {
    const cost = costOf(
      warmPairs((pair) => {
        pair.cpuFrom = 'alternating';
        burstAt(pair, 'idle time');
      }),
    );
    expect(cost?.value).toBeCloseTo(2, 1);
  });

  test('is named, with its size, and marks its row', () => {
    const { warnings } = fakeAnalysis(
      undefined,
      warmPairs((pair) => burstAt(pair, 'duets')),
    );
    expect(warnings).toMatchObject([{ kind: 'bursts', scenario: 'other' }]);
    expect(textsOf(warnings)[0]).toMatch(
      /^Other: bursts by the clock, about 1\.0 s of CPU each, are spread over time: [67]\d\.\d ms a second$/,
    );
  });

  test('of the baseline counts alike, and so does one of both servers in the same slice', () => {
    const alone = costOf(warmPairs((pair) => burstAt(pair, 'duets', 'baseline')));
    expect(alone?.value).toBeGreaterThan(2 - IN_THE_MEAN_US * 2);
    expect(alone?.value).toBeLessThan(2);
    const both = costOf(
      warmPairs((pair) => {
        burstAt(pair, 'duets', 'baseline');
        burstAt(pair, 'duets');
      }),
    );
    expect(both?.value).toBeCloseTo(2, 0);
  });

  test('of the baseline is named once, and marks no row', () => {
    const { warnings } = fakeAnalysis(
      undefined,
      warmPairs((pair) => burstAt(pair, 'duets', 'baseline')),
    );
    expect(warnings).toMatchObject([{ kind: 'bursts', scenario: null }]);
    expect(warnings[0]?.text).toStartWith('Base: bursts by the clock');
  });

  test('in a slice without an answer is one, too', () => {
    const cost = costOf(
      warmPairs(({ duets: [, slice] }) => {
        Object.assign(slice?.scenario ?? {}, { requests: 0, cpuNs: 1e9 });
      }),
    );
    expect(cost?.value).toBeGreaterThan(2);
    expect(cost?.value).toBeLessThan(2 + IN_THE_MEAN_US * 2);
  });
});

describe('no burst is', () => {
  const changed = (change: (pair: Pair, at: number) => void) =>
    costOf(warmPairs(change, 10))?.value ?? 0;
  const without = changed(() => {});

  test('what the other server takes beside a burst', () => {
    const { tasks } = fakeAnalysis(
      undefined,
      warmPairs((pair) => {
        for (const at of [6, 8]) burstInWarmUp(pair.warmUp[at]?.scenario);
        burstAt(pair, 'duets');
      }),
    );
    const bursts = tasks[0]?.rows[0]?.pairs.map((pair) => pair.bursts);
    expect(bursts?.map((each) => each?.scenario.count)).toEqual([3, 3, 3, 3]);
    expect(bursts?.map((each) => each?.baseline.count)).toEqual([0, 0, 0, 0]);
  });

  test('what a server does each time that the other is under load alone', () => {
    const { tasks } = fakeAnalysis(
      undefined,
      warmPairs(({ whileIdle }) =>
        whileIdle.scenario.push(...Array(3).fill({ ...IDLE, cpuMs: 300 })),
      ),
    );
    expect(tasks[0]?.rows[0]?.pairs[0]?.bursts?.scenario.count).toBe(0);
  });

  test('a slow moment of the machine, which meets both servers', () => {
    const slow = changed(({ duets: [, slice] }) => {
      for (const side of ['baseline', 'scenario'] as const)
        Object.assign(slice?.[side] ?? {}, { cpuNs: 1.7 * Number(slice?.[side].cpuNs) });
    });
    // A third of its requests takes so much more, and the cost with it.
    expect(slow).toBeGreaterThan(without);
  });

  test('what is seen in one pair of ten', () => {
    const once = changed((pair, at) => {
      if (at === 0) burstAt(pair, 'duets');
    });
    expect(once).toBeGreaterThan(without + 0.5);
  });

  test('what a server takes at full load, before slices at a steady rate', () => {
    const pairs = warmPairs((pair) => {
      pair.warmUp.push(...aloneAtTheEnd());
      burstInWarmUp(pair.warmUp.at(-1)?.scenario);
      burstAt(pair, 'warm-up');
      pair.whileIdle.scenario.push({ ...IDLE, cpuMs: BURST_MS }, IDLE, IDLE);
    });
    const { tasks } = fakeAnalysis(({ suite }) => {
      for (const task of suite.tasks) task.rate = 1_000;
    }, pairs);
    expect(tasks[0]?.rows[0]?.pairs[0]?.bursts?.scenario).toMatchObject({ count: 0, cpuNs: 0 });
  });

  test('given back to turns in which none was taken out', () => {
    const pairs = warmPairs((pair) => {
      makeTurns(pair);
      burstAt(pair, 'warm-up');
    }, 1);
    const { tasks } = fakeAnalysis(undefined, pairs);
    const bursts = tasks[0]?.rows[0]?.pairs[0]?.bursts?.scenario;
    expect(bursts).toMatchObject({ inCpuSlicesNs: 0, perRequestUs: 0 });
    expect(bursts?.cpuNs).toBeGreaterThan(0);
  });

  test('what older files show, which have no slices of the warm-up', () => {
    const older = changed((pair) => {
      burstAt(pair, 'duets');
      pair.warmUp = [];
    });
    expect(older).toBeGreaterThan(8);
  });

  test('a cost that grows', () => {
    const { tasks, warnings } = fakeAnalysis(
      undefined,
      warmPairs((pair) => {
        const growing = (_: unknown, at: number) => 12 + 2 * at;
        pair.warmUp = fakeWarmUp(Array.from({ length: 12 }, growing));
        for (const [at, slice] of pair.duets.entries())
          slice.scenario = fakeLoaded({ costUs: 36 + 2 * at, share: 0.5 });
      }),
    );
    expect(tasks[0]?.rows[0]?.pairs[0]?.bursts?.scenario.count).toBe(0);
    expect(warnings.map(({ kind }) => kind)).toEqual(['grows']);
  });
});
