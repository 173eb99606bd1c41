import { expect, test } from 'bun:test';
import { directionOf } from './direction.ts';
import type { MisreadReason } from './misreading.ts';

const ROSE = { value: 0.2, low: 0.19, high: 0.21 };
const FELL = { value: -0.2, low: -0.21, high: -0.19 };
const SAME = { value: 0, low: -0.01, high: 0.01 };
const ROUGH = { value: 0, low: -0.1, high: 0.1 };

/** What became of costs that rose, fell, stayed, and of which nobody knows. */
function directions(
  tooLowBecause: MisreadReason | null,
  tooHighBecause: MisreadReason | null,
): string[] {
  return [ROSE, FELL, SAME, ROUGH].map((relative) =>
    directionOf({ relative, tooLowBecause, tooHighBecause }),
  );
}

test('a change is surely more, surely less, small, or not known', () => {
  expect(directions(null, null)).toEqual(['worse', 'better', 'insignificant', 'unclear']);
});

test('what reads too low is not known to have fallen or stayed, but to have risen', () => {
  expect(directions('records-lost', null)).toEqual(['worse', 'unclear', 'unclear', 'unclear']);
});

test('what reads too high is not known to have risen or stayed, but to have fallen', () => {
  expect(directions(null, 'work-put-off')).toEqual(['unclear', 'better', 'unclear', 'unclear']);
});

test('what may read either is not known at all', () => {
  const all = directions('records-lost', 'work-put-off');
  expect(all).toEqual(['unclear', 'unclear', 'unclear', 'unclear']);
});
