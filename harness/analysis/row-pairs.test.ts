import { expect, test } from 'bun:test';
import type { Pair } from '../result/schema.ts';
import { fakePair, fakeResult } from '../testing/fakes.ts';
import { rowPairsOf } from './row-pairs.ts';

/** Returns the kinds of slices that the row `other` has at this rate, as figures are made of it. */
function kindsAt(rate: number | null, pairs: Pair[], scenario = 'other') {
  const result = fakeResult(pairs);
  const [task] = result.suite.tasks;
  if (!task) throw new Error('no task');
  const row = rowPairsOf(result, { ...task, rate }).find((each) => each.scenario === scenario);
  return row?.usable.map(({ cpuFrom, duets }) => cpuFrom ?? (duets.length > 0 ? 'duets' : null));
}

test('of a dear row in duets at a steady rate, alternating slices tell the CPU', () => {
  const dear = [fakePair('other', 12, 10), fakePair('other', 13, 10)];
  expect(kindsAt(100, dear)).toEqual(['alternating', 'alternating']);
  expect(kindsAt(null, dear)).toEqual(['duets', 'duets']);
});

test('duets stay where servers are nearly alike, or where no clock tells', () => {
  expect(kindsAt(100, [fakePair('other', 10.5, 10)])).toEqual(['duets']);
  expect(kindsAt(100, [fakePair('base', 12, 10)], 'base')).toEqual(['duets']);
  const withoutClock = fakePair('other', 12, 10);
  for (const { scenario } of withoutClock.duets) scenario.cpuNs = null;
  expect(kindsAt(100, [withoutClock])).toEqual(['duets']);
});
