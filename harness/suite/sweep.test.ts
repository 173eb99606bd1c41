import { describe, expect, test } from 'bun:test';
import { suiteOf, task } from '../testing/suites.ts';
import { select } from './select.ts';
import { sweepPoints } from './sweep.ts';

describe('a sweep', () => {
  test('of a variable: a scenario for each value, but for the baseline', () => {
    const { tasks } = suiteOf({ sweep: { env: 'N', values: [0, 1, 5], unit: 'turn' } });
    expect(tasks.map(({ scenarios }) => scenarios.map(({ name }) => name))).toEqual([
      ['a', 'b-0', 'b-1', 'b-5'],
    ]);
    expect(tasks[0]?.scenarios.map(({ env }) => env.N)).toEqual([undefined, '0', '1', '5']);
    expect(tasks[0]?.scenarios[3]?.title).toBe('b, N=5');
    expect(sweepPoints(tasks)[2]).toEqual({
      task: 'default',
      scenario: 'b-5',
      curve: 'b',
      value: 5,
    });
  });

  test('of several tasks: a line for each', () => {
    for (const parameter of [{ env: 'N' }, { load: 'rate' }]) {
      const sweep = { ...parameter, values: [1, 2, 3], unit: 'one' };
      const { tasks } = suiteOf({ tasks: [task('get'), task('post')], sweep });
      expect([...new Set(sweepPoints(tasks).map(({ curve }) => curve))]).toEqual([
        'get, b',
        'post, b',
      ]);
    }
  });

  test('of the load: a task for each value, and the baseline against itself once', () => {
    const sweep = { load: 'connections', values: [1, 2, 4], unit: 'one' };
    const { tasks } = suiteOf({ sweep });
    expect(tasks).toMatchObject([
      { name: 'connections-1', connections: 1, scenarios: [{ name: 'a' }, { name: 'b' }] },
      { name: 'connections-2', connections: 2, scenarios: [{ name: 'b' }] },
      { name: 'connections-4', connections: 4, scenarios: [{ name: 'b' }] },
    ]);
    expect(sweepPoints(tasks).map(({ task, value }) => [task, value])).toContainEqual([
      'connections-4',
      4,
    ]);
    // Of some values alone, the first has it.
    const some = select(suiteOf({ sweep }), { tasks: ['connections-2', 'connections-4'] });
    expect(some.tasks.map(({ scenarios }) => scenarios.map(({ name }) => name))).toEqual([
      ['a', 'b'],
      ['b'],
    ]);
  });
});
