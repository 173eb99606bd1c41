import { expect, test } from 'bun:test';
import { type Compared, type Comparisons, comparisonsIn, powerFigure } from './report.ts';

const compared = (low: number, high: number, isStopped = false): Compared => ({
  oldUs: 10,
  changeUs: { value: (low + high) / 2, low, high },
  trueUs: 0.2,
  isStopped,
});

const KEPT = comparisonsIn(
  JSON.stringify({
    scenario: 'trace-disabled',
    same: [compared(-0.1, 0.1), compared(0.1, 0.2)],
    slower: [compared(0.1, 0.3), compared(0.2, 0.4, true), compared(0.1, 0.3)],
  }),
) as Comparisons;

test('of comparisons it is told how many were called different, and how many were stopped', () => {
  expect(powerFigure(KEPT, 'same', 'different')).toBe('1 of 2');
  expect(powerFigure(KEPT, 'same', 'stopped')).toBe('0 of 2');
  expect(powerFigure(KEPT, 'slower', 'different')).toBe('3 of 3');
  expect(powerFigure(KEPT, 'slower', 'stopped')).toBe('1 of 3');
  expect(() => powerFigure(KEPT, 'other', 'stopped')).toThrow('no "other stopped"');
  expect(() => powerFigure(KEPT, 'same', 'cpu')).toThrow('no "same cpu"');
});

test('a file of before the rule was measured at 2 %, and other files hold no comparisons', () => {
  expect(KEPT).toMatchObject({ slowerPercent: 2, failAbove: '2%' });
  expect(comparisonsIn('{"kind":"tracetax"}')).toBeNull();
});
