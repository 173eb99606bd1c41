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
