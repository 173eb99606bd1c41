import { expect, test } from 'bun:test';
import { sidesAt } from '../pair/sides.ts';
import type { PlannedPair, PlannedRow } from '../plan/plan.ts';
import { planRound, planRounds } from './order.ts';

const NAMES = ['get base', 'get one', 'get two', 'post base', 'post one'];
const ROWS = NAMES.map((label) => ({ label })) as PlannedRow[];
const labelsOf = (planned: readonly PlannedPair[]) => planned.map(({ row }) => row.label);

test('the same seed gives the same order, another seed another one', () => {
  expect(planRounds(ROWS, 10, 7)).toEqual(planRounds(ROWS, 10, 7));
  expect(planRounds(ROWS, 10, 8)).not.toEqual(planRounds(ROWS, 10, 7));
});

test('every row has its turn before one has its next: the same number of pairs of each, at any time', () => {
  const labels = labelsOf(planRounds(ROWS, 20, 3));
  expect(labels.length).toBe(20 * 5);
  for (let start = 0; start < labels.length; start += 5) {
    const block = labels.slice(start, start + 5).sort();
    expect(block).toEqual(NAMES);
  }
});

test('blocks differ in their order', () => {
  const labels = labelsOf(planRounds(ROWS, 20, 3));
  const blocks = Array.from({ length: 20 }, (_, block) =>
    labels.slice(block * 5, block * 5 + 5).join(),
  );
  expect(new Set(blocks).size).toBeGreaterThan(10);
});

test('each server is started first, and loaded first, about as often, and one does not follow the other', () => {
  const planned = planRounds(ROWS, 200, 1);
  const share = (is: (pair: (typeof planned)[number]) => boolean) =>
    planned.filter(is).length / planned.length;
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

test('what drifts evenly costs both servers the same', () => {
  const order = [0, 1, 2, 3].flatMap((index) => sidesAt(index, 'baseline'));
  expect(order.map((side) => side.charAt(0)).join('')).toBe('bssbbssb');
  const meanTime = (side: string) =>
    order.reduce((sum, each, time) => (each === side ? sum + time / 4 : sum), 0);
  expect(meanTime('baseline')).toBe(meanTime('scenario'));
});

test('a round is the same whatever came before it, so a run that goes on measures what it would have measured', () => {
  const rounds = planRounds(ROWS, 3, 7);
  expect(planRound(ROWS, 3, 7)).toEqual(rounds.slice(-ROWS.length));
});
