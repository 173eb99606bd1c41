import { expect, test } from 'bun:test';
import { planPairs, randomSource } from './order.ts';

const TASKS = [
  { name: 'get', scenarios: ['base', 'one', 'two'] },
  { name: 'post', scenarios: ['base', 'one'] },
];
const cellsOf = (planned: ReturnType<typeof planPairs>) => planned.map(({ task, scenario }) => `${task} ${scenario}`);

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

test('random numbers lie in [0, 1)', () => {
  const random = randomSource(5);
  for (let count = 0; count < 1_000; count++) {
    const value = random();
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThan(1);
  }
});
