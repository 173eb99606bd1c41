import { expect, test } from 'bun:test';
import { sideAt } from './pair.ts';

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
