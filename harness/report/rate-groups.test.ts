import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { cleanPairs, fakeTask } from '../testing/fakes.ts';
import { rateGroupsOf } from './rate-groups.ts';

/** One task at full load, and one at a rate. */
function atTwoLoads(change: (result: Result) => void) {
  const tasks = ['full', 'paced'];
  const pairs = tasks.flatMap((task) => cleanPairs().map((pair) => ({ ...pair, task })));
  return fakeAnalysis((result) => {
    result.suite.tasks = [fakeTask('full'), { ...fakeTask('paced'), rate: 100 }];
    change(result);
  }, pairs);
}

function withOtherRequest({ suite }: Result): void {
  for (const exchange of suite.tasks[1]?.exchanges ?? []) exchange.requestDigest = '45';
}

test('tasks stand side by side if they differ in nothing but the rate', () => {
  expect(rateGroupsOf(atTwoLoads(() => {}))).toHaveLength(1);
  expect(rateGroupsOf(atTwoLoads(withOtherRequest))).toBeUndefined();
});

test('two load tools differ in the headers that they add', () => {
  const run = atTwoLoads((result) => {
    result.toolAtRates = { ...result.tool, name: 'vegeta' };
    withOtherRequest(result);
  });
  expect(rateGroupsOf(run)).toHaveLength(1);
});

test('two requests with one baseline do not share a table: nothing there would tell them apart', () => {
  const tasks = ['get', 'get-paced', 'post', 'post-paced'];
  const pairs = tasks.flatMap((task) => cleanPairs().map((pair) => ({ ...pair, task })));
  const run = fakeAnalysis(({ suite }) => {
    suite.tasks = tasks.map((name) => ({
      ...fakeTask(name),
      rate: name.endsWith('-paced') ? 100 : null,
    }));
    for (const { name, exchanges } of suite.tasks)
      for (const exchange of exchanges) exchange.method = name.split('-')[0]?.toUpperCase() ?? '';
  }, pairs);
  expect(rateGroupsOf(run)).toBeUndefined();
});
