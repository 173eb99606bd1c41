import { describe, expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { asRevisions, fakeFault, fakePairs, fakeResult, fakeTask } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { type Comparison, compareRuns, costsOf, directionOf } from './compare.ts';
import { meanEstimate } from './estimate.ts';

/** A run in which `other` takes these, and the baseline so many µs of CPU time a request. */
const costs = (costsUs: number[], baselineUs = 10) =>
  fakeResult(fakePairs('other', costsUs, baselineUs));
const compare = (old: Result, current: Result) => compareRuns(analyse(old), analyse(current));
const only = (old: Result, current: Result) => compare(old, current)[0] as Comparison;

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
    const pairs = [...fakePairs('other', [11.9, 12, 12.1]), ...fakePairs('more', [13.8, 14, 14.1])];
    const [one] = compare(costs([11.9, 12, 12.1]), costs([11.9, 12, 12.1]));
    const [other, more] = compare(fakeResult(pairs), fakeResult(pairs));
    const width = (each?: Comparison) =>
      each?.cost ? each.cost.changeUs.high - each.cost.changeUs.low : Number.NaN;
    expect(more?.title).toBe('More');
    expect(width(other)).toBeGreaterThan(width(one));
    // What can't be compared has no interval.
    expect(width(compare(costs([11.9, 12, 12.1]), fakeResult(pairs))[0])).toBe(width(one));
  });
});

test('a row that the new result skipped is missing, and once if the old one has it', () => {
  const skipping = (...titles: string[]) => {
    const result = costs([11.9, 12, 12.1]);
    result.suite.skipped = titles.map((scenario) => ({
      scenario,
      fault: fakeFault({ what: 'not there' }),
      tasks: [],
    }));
    return result;
  };
  expect(
    compare(costs([11.9, 12, 12.1]), skipping('Added')).map(({ title, missing }) => [
      title,
      missing,
    ]),
  ).toEqual([
    ['Other', null],
    ['Added', 'not there'],
  ]);
  const lost = skipping('Other');
  lost.pairs = [];
  lost.suite.tasks = [fakeTask('default', ['base'])];
  expect(compare(costs([11.9, 12, 12.1]), lost)).toMatchObject([
    { title: 'Other', missing: 'not in the new result' },
  ]);
});

describe('old and new in the same pairs', () => {
  const inPairs = (...rows: [name: string, newUs: number[], oldUs?: number][]) => {
    const result = fakeResult(
      rows.flatMap(([name, newUs, oldUs]) => fakePairs(name, newUs, oldUs)),
    );
    const [only] = result.suite.tasks;
    if (only)
      result.suite.tasks = rows.map(([name]) => ({
        ...only,
        name,
        title: `The ${name}`,
        scenarios: [name],
      }));
    for (const pair of result.pairs) pair.task = pair.scenario;
    result.suite.skipped = [
      { scenario: 'Added', fault: fakeFault({ what: 'it is not in main' }), tasks: [] },
    ];
    asRevisions(result);
    return costsOf(analyse(result));
  };

  test('have the change of their pairs, with intervals that hold for all rows together', () => {
    const [server, other, added] = inPairs(
      ['server', [10.18, 10.2, 10.22]],
      ['other', [19.9, 20, 20.1], 20],
    );
    expect(server).toMatchObject({ title: 'The server', missing: null });
    expect(server?.cost?.oldUs).toBeCloseTo(10, 9);
    expect(server?.cost?.newUs).toBeCloseTo(10.2, 9);
    expect(server?.cost?.changeUs.low).toBeCloseTo(meanEstimate([0.18, 0.2, 0.22], 2).low, 9);
    expect(server?.cost?.relative.value).toBeCloseTo(0.02, 9);
    expect(other?.cost && directionOf(other.cost)).toBeNull();
    expect(added).toEqual({ title: 'Added', cost: null, missing: 'it is not in main' });
  });

  test('have no figure by too few pairs, which make no interval wider', () => {
    const [server] = inPairs(['server', [10.18, 10.2, 10.22]], ['other', [19, 20]]);
    expect(server?.cost?.changeUs.low).toBeCloseTo(meanEstimate([0.18, 0.2, 0.22], 1).low, 9);
    const missing = expect.stringContaining('fewer than 3');
    expect(inPairs(['server', [11, 12]])[0]).toMatchObject({ cost: null, missing });
  });
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
