import { expect, test } from 'bun:test';
import { type Misreading, NOT_MISREAD } from '../analysis/misreading.ts';
import { verdictCell } from './verdict.ts';

const WORDS = { worse: 'dearer', better: 'cheaper' };

test('a verdict calls what surely rose, or fell, as it is told to', () => {
  const cellOf = (direction: 'worse' | 'better') => verdictCell(direction, NOT_MISREAD, WORDS);
  expect(cellOf('worse')).toEqual({ text: 'dearer', tone: 'worse' });
  expect(cellOf('better')).toEqual({ text: 'cheaper', tone: 'better' });
});

test('a verdict that is not known says why, unless the interval alone is rough', () => {
  const unclear = (more: Partial<Misreading>) =>
    verdictCell('unclear', { ...NOT_MISREAD, ...more }, WORDS);
  expect(unclear({})).toEqual({ text: 'not known', tone: 'unclear' });
  expect(unclear({ tooLowBecause: 'records-lost' })).toEqual({
    text: 'not known: reads too low, since spans or log records were lost',
    tone: 'plain',
  });
  expect(unclear({ tooHighBecause: 'records-lost' }).text).toBe(
    'not known: reads too high, since the old server lost spans or log records',
  );
  const either = unclear({ tooLowBecause: 'records-lost', tooHighBecause: 'work-put-off' });
  expect(either.text).toBe(
    'not known: reads too low, since spans or log records were lost, and too high, ' +
      'since the old server was still at work when its load had ended',
  );
});
