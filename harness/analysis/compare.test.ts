import { describe, expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { asRevisions, fakeFault, fakePairs, fakeResult, fakeTask } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { type Comparison, compareRuns, costsOf, directionOf, whyIncomparable } from './compare.ts';
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

test('what was skipped in the new result is missing, and once if the old one has it', () => {
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

  test('the change is that of the pairs, in µs and relative to the old, with an interval for all rows together', () => {
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

  test('too few pairs give no figure, and make no interval wider', () => {
    const [server] = inPairs(['server', [10.18, 10.2, 10.22]], ['other', [19, 20]]);
    expect(server?.cost?.changeUs.low).toBeCloseTo(meanEstimate([0.18, 0.2, 0.22], 1).low, 9);
    const missing = expect.stringContaining('fewer than 3');
    expect(inPairs(['server', [11, 12]])[0]).toMatchObject({ cost: null, missing });
  });
});

test('what is missing is said, and no figure made up', () => {
  const whole = costs([12, 12, 12]);
  const missing = (old: Result, current: Result) =>
    compare(old, current).map((each) => [each.cost, each.missing]);
  expect(missing(costs([12, 12]), whole)).toEqual([[null, 'fewer than 3 pairs in the old result']]);
  const blind = costs([12, 12, 12]);
  for (const pair of blind.pairs) Object.assign(pair, { duets: [], alternating: [] });
  expect(missing(whole, blind)).toEqual([[null, 'its CPU per request was not measured']]);
});

describe('results', () => {
  const mismatches = (change: (result: Result) => void) => {
    const result = costs([12]);
    change(result);
    return whyIncomparable(analyse(costs([12])), analyse(result));
  };

  test('of another commit are what a comparison is for', () => {
    expect(
      mismatches(({ environment }) => Object.assign(environment, { gitRevision: 'def' })),
    ).toEqual([]);
  });

  test('may have tasks and scenarios of their own, which are not compared', () => {
    const more = fakeResult(['other', 'more'].flatMap((name) => fakePairs(name, [12])));
    for (const proof of more.proofs) if (proof.scenario === 'more') proof.spans = 200;
    more.suite.tasks.push(fakeTask('second'));
    const [one, two] = [analyse(costs([12])), analyse(more)];
    expect(whyIncomparable(one, two)).toEqual([]);
    expect(whyIncomparable(two, one)).toEqual([]);
  });

  test('of a mix are told apart by weights, in whatever order', () => {
    const mix = (...weights: number[]) => {
      const result = costs([12]);
      const [task] = result.suite.tasks;
      const [only] = task?.exchanges ?? [];
      const exchanges = weights.map((weight) => ({
        ...only,
        weight,
        requestDigest: weight > 5 ? '0' : '1',
      }));
      if (task) Object.assign(task, { exchanges });
      return analyse(result);
    };
    expect(whyIncomparable(mix(9, 1), mix(2, 18))).toEqual([]);
    const shares = [
      'default.request.0.share was 0.9, and is 0.8',
      'default.request.1.share was 0.1, and is 0.2',
    ];
    expect(whyIncomparable(mix(9, 1), mix(8, 2))).toEqual(shares);
  });

  test('are not told apart by whether keeping cores awake was seen to help', () => {
    const unseen = costs([12]);
    unseen.keepAwake = { missing: 'holding it was not seen to help' };
    expect(whyIncomparable(analyse(costs([12])), analyse(unseen))).toEqual([]);
  });

  test('of another machine, tool, version or load are told apart', () => {
    const packages = (suite: Result['suite'], own: Record<string, string>) => {
      for (const scenario of suite.scenarios) scenario.packages = own;
    };
    const exchange = ({ tasks }: Result['suite'], own: object) =>
      Object.assign(tasks[0]?.exchanges[0] ?? {}, own);
    const asleep = (result: Result) => {
      result.keepAwake = { missing: 'switched off with --no-keep-awake' };
      result.environment.wakeUp = null;
    };
    const changes: [(result: Result) => void, string][] = [
      [
        ({ environment }) => Object.assign(environment, { cpu: 'Other' }),
        'machine.cpu was "Test CPU", and is "Other"',
      ],
      [
        ({ environment }) => Object.assign(environment, { kernel: 'Linux 7' }),
        'machine.kernel was "Linux 6 x64"',
      ],
      [
        ({ suite }) => Object.assign(suite.scenarios[1]?.runtime ?? {}, { version: '1.5' }),
        'runtime.version was "1',
      ],
      [
        ({ suite }) => packages(suite, { hono: '5.0.0' }),
        'package.hono was "4.13.19", and is "5.0.0"',
      ],
      [({ suite }) => packages(suite, {}), 'package.hono was "4.13.19", and is nothing'],
      [
        ({ suite }) => Object.assign(suite.scenarios[1] ?? {}, { export: 'none' }),
        'export was "otlp", and is "none"',
      ],
      [
        ({ tool }) => Object.assign(tool, { name: 'wrk' }),
        'load tool.name was "bombardier", and is "wrk"',
      ],
      [
        ({ suite }) => Object.assign(suite, { name: 'another' }),
        'suite was "fake", and is "another"',
      ],
      [
        ({ suite: { tasks } }) => Object.assign(tasks[0] ?? {}, { connections: 50 }),
        'default.connections was 100',
      ],
      [
        ({ suite: { tasks } }) => Object.assign(tasks[0] ?? {}, { rate: 500 }),
        'default.rate was null, and is 500',
      ],
      [
        ({ suite }) => exchange(suite, { path: '/big' }),
        'default.request.0.path was "/", and is "/big"',
      ],
      [
        ({ suite }) => exchange(suite, { method: 'POST' }),
        'default.request.0.method was "GET", and is "POST"',
      ],
      [
        ({ suite }) => exchange(suite, { requestDigest: '02' }),
        'request.0.requestDigest was "01", and is "02"',
      ],
      [
        ({ suite }) => exchange(suite, { answerDigest: '24' }),
        'default.request.0.answerDigest was "23", and is "24"',
      ],
      [
        ({ suite: { tasks } }) => Object.assign(tasks[0] ?? {}, { baseline: 'other' }),
        'default.baseline was "base"',
      ],
      [
        (result) => Object.assign(result, { pinning: { missing: 'one core' } }),
        'isPinned was true, and is false',
      ],
      [(result) => Object.assign(result, { method: 2 }), 'method of tracetax was 1, and is 2'],
      [asleep, 'idle cores was "kept awake", and is "asleep"'],
    ];
    for (const [change, words] of changes)
      expect(mismatches(change)).toEqual([expect.stringContaining(words)]);
  });
});
