import { expect, test } from 'bun:test';
import type { Pair } from '../result/schema.ts';
import { fakeLoaded, fakePair, fakeWarmUp } from '../testing/fakes.ts';
import { growthOf } from './growth.ts';

/** So many slices of the warm-up, and three duets after them. */
const WARM_UP = 10;
const ALL = WARM_UP + 3;

/** By up to 2 %, as slices of one server differ. */
const noise = (pair: number, slice: number) => 1 + (((pair * 7 + slice * 5) % 9) - 4) / 200;

/** Pairs with this cost more than 10 µs in their n-th slice under load at once, from 0 on. */
function pairsWith(costUs: (slice: number) => number, count = 3): Pair[] {
  return Array.from({ length: count }, (_, at) => {
    const pair = fakePair();
    const costs = Array.from(
      { length: ALL },
      (_, slice) => (10 + costUs(slice)) * noise(at, slice),
    );
    pair.warmUp = fakeWarmUp(costs.slice(0, WARM_UP));
    pair.duets.forEach((duet, slice) => {
      duet.scenario = fakeLoaded({ costUs: costs[WARM_UP + slice] ?? 0, share: 0.5 });
    });
    return pair;
  });
}

/** Pairs that cost 10 µs more than a baseline that becomes faster in the warm-up. */
function compiling(): Pair[] {
  const pairs = pairsWith(() => 10);
  for (const { warmUp } of pairs) {
    for (const [at, slice] of warmUp.entries()) {
      const baselineUs = Math.max(10, 24 - 3 * at);
      Object.assign(slice, fakeWarmUp([10 + baselineUs], baselineUs)[0]);
    }
  }
  return pairs;
}

test.each<[string, (slice: number) => number]>([
  ['in a straight line', (slice) => 2 + slice],
  ['in steps', (slice) => 2 + 5 * Math.floor(slice / 4)],
  ['as the square root', (slice) => 10 * Math.sqrt(slice)],
])('a cost that grows %s is told, with how much over how many requests', (_, costUs) => {
  for (const count of [1, 2, 3, 10]) {
    const growth = growthOf(pairsWith(costUs, count), false);
    expect(growth).toMatchObject({ direction: 'grows', isOfWarmUp: false });
    expect(growth?.fromUs).toBeWithin(0.3 * costUs(2), 1.5 * costUs(5));
    expect(growth?.toUs).toBeWithin(0.7 * costUs(ALL), 1.4 * costUs(ALL));
    expect(growth?.requests).toBeGreaterThan(100_000);
  }
});

test('a cost that falls all the while is told, too', () => {
  const falling = growthOf(
    pairsWith((slice) => 20 - slice),
    false,
  );
  expect(falling).toMatchObject({ direction: 'falls' });
});

test.each<[string, Pair[]]>([
  ['stays', pairsWith(() => 5)],
  ['falls while its code is compiled', pairsWith((slice) => 5 + 40 * 0.4 ** slice)],
  ['stays while its baseline is compiled', compiling()],
  ['falls in the first half of the warm-up', pairsWith((slice) => Math.max(10, 40 - 6 * slice))],
  ['grows by little', pairsWith((slice) => 5 + 0.03 * slice, 10)],
  ['grows in some pairs alone', [...pairsWith((slice) => slice, 2), ...pairsWith(() => 5, 8)]],
  ['takes a burst in the last slice', pairsWith((slice) => (slice === ALL - 1 ? 90 : 5))],
  [
    'takes bursts in all slices after the warm-up',
    pairsWith((slice) => (slice < WARM_UP ? 5 : 25)),
  ],
  ['was measured when no file had the warm-up', [fakePair()]],
])('a cost that %s does not grow', (_, pairs) => {
  expect(growthOf(pairs, false)).toBeNull();
});

test('a row without pairs does not grow', () => {
  expect(growthOf([], false)).toBeNull();
});

test('a cost at a steady rate is not held against that of the warm-up, which has none', () => {
  const pairs = pairsWith((slice) => (slice < WARM_UP ? 2 + 0.2 * slice : 3 + 0.2 * slice));
  expect(growthOf(pairs, false)).not.toBeNull();
  expect(growthOf(pairs, true)).toBeNull();
});

/**
 * Pairs as above, of which the slices after the warm-up are alternating ones, in which a server alone
 * answers twice as many requests, and then turns, which are one slice.
 */
function pairsInTurns(costUs: (slice: number) => number, turnsUs = costUs(ALL)): Pair[] {
  return pairsWith(costUs).map((pair) => {
    const [alternating] = pair.alternating;
    const [duet] = pair.duets;
    return {
      ...pair,
      alternating: pair.duets.flatMap((_, slice) =>
        alternating
          ? { ...alternating, scenario: fakeLoaded({ costUs: 10 + costUs(WARM_UP + 2 * slice) }) }
          : [],
      ),
      duets: [],
      turns: duet ? [{ ...duet, scenario: fakeLoaded({ costUs: 10 + turnsUs, share: 0.5 }) }] : [],
    };
  });
}

test('where the warm-up has all the slices that can be compared, that is told', () => {
  const growth = growthOf(
    pairsInTurns((slice) => 2 + slice),
    false,
  );
  expect(growth).toMatchObject({ direction: 'grows', isOfWarmUp: true });
});

test('a cost that grows while servers share a core, and not when each is alone, is not told', () => {
  for (const laterUs of [11, 40]) {
    const costUs = (slice: number) => (slice < WARM_UP ? 10 + 3 * slice : laterUs);
    expect(growthOf(pairsInTurns(costUs), false)).toBeNull();
    // Turns read a little more than alternating slices, which is no growth.
    expect(growthOf(pairsInTurns(costUs, 1.1 * laterUs), false)).toBeNull();
  }
});

test('a cost that grows when each is alone, too, is told, though a shared core shows more', () => {
  const costUs = (slice: number) => (slice < WARM_UP ? 2 : 1) * (2 + slice);
  expect(growthOf(pairsInTurns(costUs), false)).toMatchObject({ direction: 'grows' });
});
