import { expect, test } from 'bun:test';
import type { Pair, Result } from '../result/schema.ts';
import { asRevisions, fakePair, fakeResult } from '../testing/fakes.ts';
import { rowPairsOf } from './row-pairs.ts';
import { cpuSliceKindOf } from './slices.ts';

/** Returns which slices tell the CPU of the pairs of a row at this rate. */
function kindsAt(
  rate: number | null,
  pairs: Pair[],
  scenario = 'other',
  change: (result: Result) => void = () => {},
) {
  const result = fakeResult(pairs);
  change(result);
  const [task] = result.suite.tasks;
  if (!task) throw new Error('no task');
  const row = rowPairsOf(result, { ...task, rate }).find((each) => each.scenario === scenario);
  return row?.usable.map(cpuSliceKindOf);
}

test('of a dear row of an older file, in duets at a steady rate, alternating slices tell the CPU', () => {
  const dear = [fakePair('other', 12, 10), fakePair('other', 13, 10)];
  expect(kindsAt(100, dear)).toEqual(['alternating', 'alternating']);
  expect(kindsAt(null, dear)).toEqual(['duets', 'duets']);
});

test('idle time counts in the warm-up, and in slices that held the rate', () => {
  const pair = fakePair('other', 12, 10);
  const [first, second] = pair.alternating;
  if (!first || !second) throw new Error('too few slices');
  pair.alternating = [{ ...first, rateShortfall: 'not sent' }, second];
  pair.whileIdle.scenario = [1, 2, 3].map((cpuMs) => ({ cpuMs, watchedMs: 1_000 }));
  const result = fakeResult([pair]);
  const [task] = result.suite.tasks;
  const rows = task ? rowPairsOf(result, { ...task, rate: 100 }) : [];
  const row = rows.find(({ scenario }) => scenario === 'other');
  const kept = row?.cleaned[0]?.whileIdle.scenario.map(({ cpuMs }) => cpuMs);
  expect(kept).toEqual([1, 3]);
});

test('a run that says itself which slices tell the CPU is read so', () => {
  const inDuets: Pair[] = [{ ...fakePair('other', 12, 10), cpuFrom: 'duets' }];
  expect(kindsAt(100, inDuets)).toEqual(['duets']);
});

test('duets stay where servers are alike but for their revision, and where no clock tells', () => {
  expect(kindsAt(100, [fakePair('other', 10.5, 10)])).toEqual(['duets']);
  expect(kindsAt(100, [fakePair('base', 12, 10)], 'base')).toEqual(['duets']);
  expect(kindsAt(100, [fakePair('other', 12, 10)], 'other.new', asRevisions)).toEqual(['duets']);
  const withoutClock = fakePair('other', 12, 10);
  for (const { scenario } of withoutClock.duets) scenario.cpuNs = null;
  expect(kindsAt(100, [withoutClock])).toEqual(['duets']);
});
