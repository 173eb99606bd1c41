import { expect, test } from 'bun:test';
import type { Side } from '../../result/schema.ts';
import { kindsOf, textsOf, warningsOfPairs } from '../../testing/fake-analysis.ts';

/** The warnings of pairs in which one server works so much by itself, and so much after a load. */
function restingAt(side: Side, before: number | null, after: number | null) {
  return warningsOfPairs((pair) => {
    pair.restingShares = {
      beforeLoad: { baseline: 0, scenario: 0, [side]: before },
      afterLoad: { baseline: 0, scenario: 0, [side]: after },
    };
  });
}

test('owed: work that goes on after the last request is no part of the cost', () => {
  const found = restingAt('scenario', 0.01, 0.31);
  expect(kindsOf(found)).toEqual(['owed']);
  expect(found[0]).toMatchObject({ scenario: 'other' });
  // 30 % of a core in a second of 83,333 requests.
  expect(textsOf(found)).toEqual([
    'Other: the cost reads too low: it was still at work after its last request (30 % of a core), so a request costs at least 3.6 µs',
  ]);
});

test('owed: a cost is at least the lower end of its interval, if what was put off is less', () => {
  // 2.00 ±0.04 µs, beside 5 % of a core in a second of 83,333 requests.
  expect(textsOf(restingAt('scenario', 0, 0.05))[0]).toEndWith('costs at least 1.9 µs');
});

test('owed: no least cost if the baseline put off work, too', () => {
  const found = warningsOfPairs((pair) => {
    pair.restingShares = {
      beforeLoad: { baseline: 0, scenario: 0 },
      afterLoad: { baseline: 0.3, scenario: 0.3 },
    };
  });
  expect(textsOf(found)[0]).toBe(
    'Other: the cost reads too low: it was still at work after its last request (30 % of a core)',
  );
});

test('owed: of the baseline, too, whose cost is taken off', () => {
  expect(textsOf(restingAt('baseline', 0, 0.1))).toEqual([
    'Other: the cost reads too high: the baseline was still at work after its last request (10 % of a core), which is 1.00 µs for each of its requests, or more',
  ]);
});

test('owed: not what a server does by itself, and not if nobody looked', () => {
  expect(restingAt('scenario', 0.2, 0.21)).toEqual([]);
  expect(restingAt('scenario', null, null)).toEqual([]);
});
