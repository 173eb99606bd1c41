import { expect, test } from 'bun:test';
import type { Pair } from '../../result/schema.ts';
import { kindsOf, textsOf, warningsOfPairs } from '../../testing/fake-analysis.ts';
import { fakeLoaded, fakeWarmUp } from '../../testing/fakes.ts';

test('not-steady: more than a quarter of the pairs', () => {
  const unsteady = (count: number) =>
    warningsOfPairs((pair, index) => {
      pair.isSteady = index >= count;
    });
  const seen = 'in 3 of 10 pairs a server was not steady when the warm-up ended';
  expect(textsOf(unsteady(3))).toEqual([`Costs may read too high: ${seen}`]);
  expect(unsteady(2)).toEqual([]);
});

/** Gives a pair this CPU per request, in µs, in ten slices of its warm-up and its three duets. */
function moveCost(pair: Pair, costUs: (slice: number) => number): void {
  pair.warmUp = fakeWarmUp(Array.from({ length: 10 }, (_, slice) => costUs(slice)));
  for (const [at, duet] of pair.duets.entries())
    duet.scenario = fakeLoaded({ costUs: costUs(10 + at), share: 0.5 });
}

test('not-steady: a cost that falls all the while is named, with how far', () => {
  const found = warningsOfPairs((pair) => {
    pair.isSteady = false;
    moveCost(pair, (slice) => 40 - slice);
  });
  expect(textsOf(found)).toEqual([
    'Costs may read too high: in 5 of 10 pairs a server was not steady when the warm-up ended; ' +
      'still falling, as code is compiled or a cache fills: Other (from +24.5 to +17.8 µs over 280,000 requests)',
  ]);
});

test('not-steady: a cost that falls so slowly that each pair seemed steady', () => {
  const found = warningsOfPairs((pair) => moveCost(pair, (slice) => 40 - slice));
  expect(textsOf(found)).toEqual([
    'Costs may read too high: still falling, as code is compiled or a cache fills: ' +
      'Other (from +24.5 to +17.8 µs over 280,000 requests)',
  ]);
});

test('grows: a cost that grows has a warning of its own, and no longer warm-up is advised', () => {
  const found = warningsOfPairs((pair) => {
    pair.isSteady = false;
    moveCost(pair, (slice) => 20 + slice);
  });
  expect(kindsOf(found)).toEqual(['grows']);
  expect(found).toMatchObject([
    {
      scenario: 'other',
      text: 'Other: its cost grows with the requests served: from +12.0 to +28.6 µs over 350,000 requests',
      remedy: 'See where it leads with soak, which shows CPU per request over time',
    },
  ]);
});
