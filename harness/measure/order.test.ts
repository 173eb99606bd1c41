import { expect, test } from 'bun:test';
import type { LoadedTask } from '../suite/load.ts';
import { planPairs } from './order.ts';

const taskOf = (name: string, ...scenarios: string[]) =>
  ({ name, scenarios: scenarios.map((scenario) => ({ name: scenario })) }) as LoadedTask;
const TASKS = [taskOf('get', 'base', 'one', 'two'), taskOf('post', 'base', 'one')];
const cellsOf = (planned: ReturnType<typeof planPairs>) =>
  planned.map(({ task, scenario }) => `${task.name} ${scenario.name}`);

test('the same seed gives the same order, another seed another one', () => {
  expect(planPairs(TASKS, 10, 7)).toEqual(planPairs(TASKS, 10, 7));
  expect(planPairs(TASKS, 10, 8)).not.toEqual(planPairs(TASKS, 10, 7));
});

test('every scenario has its turn before one has its next: the same number of pairs of each, at any time', () => {
  const cells = cellsOf(planPairs(TASKS, 20, 3));
  expect(cells.length).toBe(20 * 5);
  for (let start = 0; start < cells.length; start += 5) {
    const block = cells.slice(start, start + 5).sort();
    expect(block).toEqual(['get base', 'get one', 'get two', 'post base', 'post one']);
  }
});

test('blocks differ in their order', () => {
  const cells = cellsOf(planPairs(TASKS, 20, 3));
  const blocks = Array.from({ length: 20 }, (_, block) => cells.slice(block * 5, block * 5 + 5).join());
  expect(new Set(blocks).size).toBeGreaterThan(10);
});

test('each server is started first, and loaded first, about as often, and one does not follow the other', () => {
  const planned = planPairs(TASKS, 200, 1);
  const share = (is: (pair: (typeof planned)[number]) => boolean) => planned.filter(is).length / planned.length;
  const shares = [
    share(({ startedFirst }) => startedFirst === 'baseline'),
    share(({ loadedFirst }) => loadedFirst === 'baseline'),
    share(({ startedFirst, loadedFirst }) => startedFirst === loadedFirst),
  ];
  for (const each of shares) {
    expect(each).toBeGreaterThan(0.4);
    expect(each).toBeLessThan(0.6);
  }
});
