import { expect, test } from 'bun:test';
import type { LoadedTask } from '../suite/load.ts';
import { planPairs, sideAt } from './order.ts';

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

test('who has the first half of each alternating slice: B S, S B, B S, ...', () => {
  const sides = [0, 1, 2, 3].map((index) => sideAt(index, 'baseline'));
  expect(sides).toEqual(['baseline', 'scenario', 'baseline', 'scenario']);
  const others = [0, 1, 2].map((index) => sideAt(index, 'scenario'));
  expect(others).toEqual(['scenario', 'baseline', 'scenario']);
});

test('what drifts evenly costs both servers the same', () => {
  const order = [0, 1, 2, 3].flatMap((index) => {
    const first = sideAt(index, 'baseline');
    return [first, first === 'baseline' ? 'scenario' : 'baseline'];
  });
  expect(order.map((side) => side.charAt(0)).join('')).toBe('bssbbssb');
  const meanTime = (side: string) => order.reduce((sum, each, time) => (each === side ? sum + time / 4 : sum), 0);
  expect(meanTime('baseline')).toBe(meanTime('scenario'));
});
