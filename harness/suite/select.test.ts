import { describe, expect, test } from 'bun:test';
import { scenarios, suiteOf, task } from '../testing/suites.ts';
import { select, withoutScenario } from './select.ts';
import type { Scenario } from './suite.ts';

test('without a scenario go the tasks of which it is the baseline', () => {
  const tasks = [task('one'), task('two', { baseline: 'c' })];
  const suite = suiteOf({ scenarios: scenarios('a', 'b', 'c'), tasks });
  const fault = { what: 'is broken', detail: 'x', scenario: 'c', slice: null, count: 1 };
  const left = withoutScenario(suite, suite.scenarios[2] as Scenario, fault);
  expect(left.skipped).toMatchObject([
    { scenario: 'c', fault, tasks: ['one'] },
    { scenario: 'two', fault: { what: 'its baseline c was skipped' }, tasks: [] },
  ]);
  expect(left.tasks).toMatchObject([{ name: 'one', scenarios: [{ name: 'a' }, { name: 'b' }] }]);
});

test('a task of short requests warms up the others, also if it is not selected itself', () => {
  const sent = (name: string) => task(name, { exchanges: [{ request: { path: `/${name}` } }] });
  const suite = suiteOf({ tasks: [sent('short'), sent('long')], warmUp: 'short' });
  expect(select(suite, { tasks: ['long'] }).tasks).toMatchObject([
    { name: 'long', warmUp: [{ request: { path: '/short' } }] },
  ]);
  expect(suite.tasks[0]?.warmUp).toEqual([]);
});

describe('selecting', () => {
  test('scenarios keep the order of the suite and the baseline', () => {
    const suite = suiteOf({ scenarios: scenarios('a', 'b', 'c', 'd') });
    const names = (chosen: string[]) =>
      select(suite, { scenarios: chosen }).tasks[0]?.scenarios.map(({ name }) => name);
    expect(names(['d', 'b'])).toEqual(['a', 'b', 'd']);
    expect(names(['a'])).toEqual(['a']);
    expect(select(suite, {})).toEqual(suite);
    expect(() => names(['x', 'y'])).toThrow('Suite test has no scenario "x", "y"');
  });

  test('tasks, and those of scenarios', () => {
    const three = task('three', { baseline: 'b', scenarios: ['b', 'c'] });
    const suite = suiteOf({
      scenarios: scenarios('a', 'b', 'c'),
      tasks: [task('one'), task('two'), three],
    });
    const names = (chosen: object) => select(suite, chosen).tasks.map(({ name }) => name);
    expect(names({ tasks: ['two'] })).toEqual(['two']);
    expect(names({ scenarios: ['c'] })).toEqual(['one', 'two', 'three']);
    expect(names({ scenarios: ['a'] })).toEqual(['one', 'two']);
    // A list without names, as of `--scenarios ,`.
    for (const none of [{ tasks: [] }, { scenarios: [] }]) expect(names(none)).toEqual([]);
    expect(() => names({ tasks: ['four'] })).toThrow('has no task "four"');
  });
});
