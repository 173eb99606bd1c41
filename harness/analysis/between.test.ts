import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis, severalTasks } from '../testing/fake-analysis.ts';
import { fakeExported, fakeFault, fakePairs, fakeTask } from '../testing/fakes.ts';
import { type Between, betweenRows, type NotBetween, tasksWithBoth } from './between.ts';
import { halfWidth } from './interval.ts';

const PAIRS = [
  ...fakePairs('base', [10, 10.02, 9.98, 10.01, 9.99]),
  ...fakePairs('other', [12, 12.02, 11.98, 12.01, 11.99]),
  ...fakePairs('third', [12.06, 12.08, 12.04, 12.07, 12.05]),
];

function answers(first: string, second: string, change?: (result: Result) => void) {
  const { tasks } = fakeAnalysis(change, PAIRS);
  return betweenRows(tasksWithBoth(tasks, first, second), first, second);
}

function answer(first: string, second: string, change?: (result: Result) => void): Between {
  const [only] = answers(first, second, change);
  if (!only || 'reason' in only) throw new Error('no answer');
  return only;
}

test('two rows are compared by the pairs of both, more sharply than by their own intervals', () => {
  const { differenceUs, secondUs, quantity } = answer('third', 'other');
  expect(quantity).toBe('cpuUs');
  expect(differenceUs.value).toBeCloseTo(0.06, 6);
  expect(secondUs).toBeCloseTo(12, 1);
  const run = fakeAnalysis(undefined, PAIRS);
  const [other, third] = ['other', 'third'].map(
    (name) => run.tasks[0]?.rows.find(({ scenario }) => scenario === name)?.change.cpuUs,
  );
  if (!other || !third) throw new Error('no rows');
  expect(halfWidth(differenceUs)).toBeLessThan(halfWidth(other) + halfWidth(third));
});

test('the other way round, the difference is turned around', () => {
  const one = answer('third', 'other').differenceUs;
  const other = answer('other', 'third').differenceUs;
  expect(other.value).toBeCloseTo(-one.value, 9);
  expect(other.low).toBeCloseTo(-one.high, 9);
});

test('a server that lost spans makes the difference read too low, or too high', () => {
  const loseSpans = ({ pairs }: Result) => {
    for (const { exported, scenario } of pairs)
      if (scenario === 'other') exported.scenario = fakeExported(1_000, 600);
  };
  const lost = 'records-lost';
  expect(answer('other', 'third', loseSpans)).toMatchObject({
    tooLowBecause: lost,
    tooHighBecause: null,
  });
  expect(answer('third', 'other', loseSpans)).toMatchObject({
    tooLowBecause: null,
    tooHighBecause: lost,
  });
  expect(answer('other', 'base', loseSpans)).toMatchObject({ tooLowBecause: lost });
});

test('the baseline may be one of the two', () => {
  expect(answer('other', 'base').differenceUs.value).toBeCloseTo(2, 6);
  expect(answer('base', 'other').differenceUs.value).toBeCloseTo(-2, 6);
  expect(answer('other', 'base').secondUs).toBeCloseTo(10, 6);
});

test('a share is one of what the second takes beside its own baseline', () => {
  // Turns and duets have baselines of their own.
  const inTurns = fakePairs('third', [17.06, 17.08, 17.04], 15);
  for (const pair of inTurns) Object.assign(pair, { turns: pair.duets, duets: [] });
  const { tasks } = fakeAnalysis(undefined, [...PAIRS.slice(0, 10), ...inTurns]);
  const [found] = betweenRows(tasks, 'third', 'other') as Between[];
  expect(found?.secondUs).toBeCloseTo(12, 1);
});

test('without CPU times, latency is compared', () => {
  const { quantity, differenceUs } = answer('other', 'third', ({ pairs }) => {
    for (const { duets } of pairs)
      for (const slice of duets) slice.baseline.cpuNs = slice.scenario.cpuNs = null;
  });
  expect(quantity).toBe('latencyUs');
  expect(differenceUs.value).toBeCloseTo(-6, 0);
});

test('each task that has both is answered, with intervals that hold together', () => {
  const both = answers('third', 'other', (result) => {
    severalTasks('get', 'post')(result);
    for (const task of result.suite.tasks) task.scenarios = ['base', 'other', 'third'];
  });
  expect(both.map(({ prefix }) => prefix)).toEqual(['Get: ', 'Post: ']);
  const [get] = both as [Between];
  expect(halfWidth(get.differenceUs)).toBeGreaterThan(
    halfWidth(answer('third', 'other').differenceUs),
  );
  const none = answers('third', 'other', ({ suite }) => {
    suite.tasks = [fakeTask('get', ['base', 'other']), fakeTask('post', ['base', 'third'])];
  });
  expect(none).toEqual([]);
});

test('a row without figures, or with too few pairs, has a reason in place of a difference', () => {
  const broken = answers('third', 'other', ({ pairs }) => {
    for (const { scenario, faults } of pairs)
      if (scenario === 'other') faults.push(fakeFault({ scenario, what: 'boom' }));
  });
  expect((broken[0] as NotBetween).reason).toBe('Other has no figures: boom');
  const few = answers('third', 'other', (result) => {
    result.pairs = result.pairs.filter(({ scenario }, at) => scenario !== 'third' || at % 5 < 2);
  });
  expect((few[0] as NotBetween).reason).toBe('Third has fewer than 3 pairs');
});
