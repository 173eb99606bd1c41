import { describe, expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeExported, fakeFault, fakePairs, fakeResult, fakeTask } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { type Comparison, compareRuns } from './compare.ts';
import { directionOf } from './direction.ts';
import { halfWidth } from './interval.ts';

/** A run in which `other` takes these, and the baseline so many µs of CPU time a request. */
function costs(costsUs: number[], baselineUs = 10): Result {
  return fakeResult(fakePairs('other', costsUs, baselineUs));
}

function compare(old: Result, current: Result): Comparison[] {
  return compareRuns(analyse(old), analyse(current));
}

/** What became of the first row. */
function only(old: Result, current: Result): Comparison {
  return compare(old, current)[0] as Comparison;
}

/** How wide the interval of a change is in µs; no number without one. */
function widthOf(comparison: Comparison | undefined): number {
  return comparison?.cost ? 2 * halfWidth(comparison.cost.changeUs) : Number.NaN;
}

describe('a change of cost', () => {
  test('is new minus old CPU per request, in µs and relative to all that a request took', () => {
    const { cost, missing } = only(costs([11.9, 12, 12.1]), costs([14.9, 15, 15.1]));
    expect(missing).toBeNull();
    expect(cost && directionOf(cost)).toBe('worse');
    expect(cost?.oldUs).toBeCloseTo(2, 9);
    expect(cost?.newUs).toBeCloseTo(5, 9);
    expect(cost?.changeUs.value).toBeCloseTo(3, 9);
    expect(cost?.changeUs.low).toBeGreaterThan(2.7);
    expect(cost?.relative.value).toBeCloseTo(0.25, 9);
    expect(cost?.relative.low).toBeCloseTo((cost?.changeUs.low ?? 0) / 12, 9);
  });

  test('has an interval that holds together with those of the other rows', () => {
    const single = costs([11.9, 12, 12.1]);
    const double = fakeResult([
      ...fakePairs('other', [11.9, 12, 12.1]),
      ...fakePairs('more', [13.8, 14, 14.1]),
    ]);
    const alone = only(single, single);
    const [other, more] = compare(double, double);
    expect(more?.title).toBe('More');
    expect(widthOf(other)).toBeGreaterThan(widthOf(alone));
    // What can't be compared has no interval.
    expect(widthOf(only(single, double))).toBeLessThan(widthOf(other));
  });
});

test('a row in duets is not compared with one in turns', () => {
  const inTurns = costs([12, 12, 12]);
  for (const pair of inTurns.pairs) Object.assign(pair, { turns: pair.duets, duets: [] });
  expect(only(costs([12, 12, 12]), inTurns)).toMatchObject({
    cost: null,
    missing: 'its CPU is of duets in the old result, and of turns in the new one',
  });
  expect(only(inTurns, inTurns).missing).toBeNull();
});

describe('two results of hours with two speeds', () => {
  test('do not tell a slower machine from a dearer tracer', () => {
    // The baseline takes half as much again, and so does the cost.
    const { cost } = only(costs([19.9, 20, 20.1]), costs([29.9, 30, 30.1], 15));
    expect(cost && directionOf(cost)).toBe('unclear');
    expect(cost?.changeUs.low).toBeLessThan(0);
    expect(cost?.changeUs.high).toBeGreaterThan(5);
    expect([cost?.oldUs, cost?.newUs].map(Number)).toEqual([
      expect.closeTo(10, 6),
      expect.closeTo(15, 6),
    ]);
  });

  test('nor hide what got dearer in a quicker hour', () => {
    const { cost } = only(costs([29.9, 30, 30.1], 15), costs([22.9, 23, 23.1]));
    expect(cost && directionOf(cost)).toBe('unclear');
  });

  test('tell what is dearer either way', () => {
    const { cost } = only(costs([19.9, 20, 20.1]), costs([39.9, 40, 40.1], 11));
    expect(cost && directionOf(cost)).toBe('worse');
  });
});

describe('a change of what reads too low', () => {
  const CHEAP = [11.9, 12, 12.1];
  const DEAR = [14.9, 15, 15.1];
  /** A run that lost three in ten spans of its scenario. */
  const lossy = (costsUs: number[]) => {
    const result = costs(costsUs);
    for (const { exported } of result.pairs) exported.scenario = fakeExported(1_000, 700);
    return result;
  };
  /** A run whose scenario was still at work when its load had ended. */
  const atWork = (costsUs: number[]) => {
    const result = costs(costsUs);
    for (const pair of result.pairs)
      pair.restingShares = {
        beforeLoad: { baseline: 0, scenario: 0 },
        afterLoad: { baseline: 0, scenario: 0.3 },
      };
    return result;
  };
  const directionFrom = (old: Result, current: Result) => {
    const { cost } = only(old, current);
    return cost && directionOf(cost);
  };

  test('is not called better if the new result does, and is still called worse', () => {
    expect(only(costs(DEAR), lossy(CHEAP)).cost).toMatchObject({
      tooLowBecause: 'records-lost',
      tooHighBecause: null,
    });
    expect(directionFrom(costs(DEAR), lossy(CHEAP))).toBe('unclear');
    expect(directionFrom(costs(CHEAP), lossy(DEAR))).toBe('worse');
  });

  test('is not called worse if the old result does, and is still called better', () => {
    expect(only(atWork(CHEAP), costs(DEAR)).cost).toMatchObject({
      tooLowBecause: null,
      tooHighBecause: 'work-put-off',
    });
    expect(directionFrom(atWork(CHEAP), costs(DEAR))).toBe('unclear');
    expect(directionFrom(lossy(CHEAP), costs(DEAR))).toBe('unclear');
    expect(directionFrom(lossy(DEAR), costs(CHEAP))).toBe('better');
  });

  test('is called neither if both do, each in its way, and either if they do alike', () => {
    expect(directionFrom(atWork(CHEAP), lossy(DEAR))).toBe('unclear');
    expect(directionFrom(atWork(DEAR), lossy(CHEAP))).toBe('unclear');
    expect(directionFrom(lossy(CHEAP), lossy(DEAR))).toBe('worse');
    expect(directionFrom(lossy(DEAR), lossy(CHEAP))).toBe('better');
  });
});

/** A run that skipped what has these titles. */
function skipping(...titles: string[]): Result {
  const result = costs([11.9, 12, 12.1]);
  result.suite.skipped = titles.map((scenario) => {
    return { scenario, fault: fakeFault({ what: 'not there' }), tasks: [] };
  });
  return result;
}

test('a row that the new result skipped is missing, with the reason', () => {
  const found = compare(costs([11.9, 12, 12.1]), skipping('Added'));
  expect(found.map(({ title, missing }) => [title, missing])).toEqual([
    ['Other', null],
    ['Added', 'not there'],
  ]);
});

test('a row that the new result skipped is missing once if the old one has it', () => {
  const lost = skipping('Other');
  lost.pairs = [];
  lost.suite.tasks = [fakeTask('default', ['base'])];
  expect(compare(costs([11.9, 12, 12.1]), lost)).toMatchObject([
    { title: 'Other', missing: 'not in the new result' },
  ]);
});

test('a row without figures says what is missing, and none is made up', () => {
  const whole = costs([12, 12, 12]);
  const missing = (old: Result, current: Result) =>
    compare(old, current).map((each) => [each.cost, each.missing]);
  expect(missing(costs([12, 12]), whole)).toEqual([[null, 'fewer than 3 pairs in the old result']]);
  const blind = costs([12, 12, 12]);
  for (const pair of blind.pairs) Object.assign(pair, { duets: [], alternating: [] });
  expect(missing(whole, blind)).toEqual([[null, 'its CPU per request was not measured']]);
});
