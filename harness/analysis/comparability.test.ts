import { describe, expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakePairs, fakeResult, fakeTask } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { whyIncomparable } from './comparability.ts';

/** A run in which `other` takes these, and the baseline 10 µs of CPU time a request. */
const costs = (costsUs: number[]) => fakeResult(fakePairs('other', costsUs));

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
});

type Change = (result: Result) => void;

const inEnvironment = (changed: object): Change => {
  return ({ environment }) => Object.assign(environment, changed);
};
const inTask = (changed: object): Change => {
  return ({ suite }) => Object.assign(suite.tasks[0] ?? {}, changed);
};
const inExchange = (changed: object): Change => {
  return ({ suite }) => Object.assign(suite.tasks[0]?.exchanges[0] ?? {}, changed);
};
const inScenarios = (changed: object): Change => {
  return ({ suite }) => {
    for (const scenario of suite.scenarios) Object.assign(scenario, changed);
  };
};

const letCoresSleep: Change = (result) => {
  result.keepAwake = { missing: 'switched off with --no-keep-awake', reason: 'switched-off' };
  result.environment.wakeUp = null;
};

test.each<[difference: string, change: Change]>([
  ['machine.cpu was "Test CPU", and is "Other"', inEnvironment({ cpu: 'Other' })],
  ['machine.kernel was "Linux 6 x64"', inEnvironment({ kernel: 'Linux 7' })],
  ['runtime.version was "1', inScenarios({ runtime: { name: 'bun', version: '1.5' } })],
  ['package.hono was "4.13.19", and is "5.0.0"', inScenarios({ packages: { hono: '5.0.0' } })],
  ['package.hono was "4.13.19", and is nothing', inScenarios({ packages: {} })],
  ['export was "otlp", and is "none"', inScenarios({ export: 'none' })],
  [
    'load tool.name was "bombardier", and is "wrk"',
    ({ tool }) => Object.assign(tool, { name: 'wrk' }),
  ],
  ['suite was "fake", and is "another"', ({ suite }) => Object.assign(suite, { name: 'another' })],
  ['default.connections was 100', inTask({ connections: 50 })],
  ['default.rate was null, and is 500', inTask({ rate: 500 })],
  ['default.baseline was "base"', inTask({ baseline: 'other' })],
  ['default.request.0.path was "/", and is "/big"', inExchange({ path: '/big' })],
  ['default.request.0.method was "GET", and is "POST"', inExchange({ method: 'POST' })],
  ['request.0.requestDigest was "01", and is "02"', inExchange({ requestDigest: '02' })],
  ['default.request.0.answerDigest was "23", and is "24"', inExchange({ answerDigest: '24' })],
  [
    'isPinned was true, and is false',
    (result) => Object.assign(result, { pinning: { missing: 'one core' } }),
  ],
  ['method of tracetax was 1, and is 2', (result) => Object.assign(result, { method: 2 })],
  ['idle cores was "as awake as can be", and is "asleep"', letCoresSleep],
])('results are told apart that differ: %s', (difference, change) => {
  const result = costs([12]);
  change(result);
  expect(whyIncomparable(analyse(costs([12])), analyse(result))).toEqual([
    expect.stringContaining(difference),
  ]);
});
