import { expect, test } from 'bun:test';
import type { Fault } from '../result/faults.ts';
import { faultOf } from '../result/faults.ts';
import { fakeRows } from '../testing/fake-plan.ts';
import { fakePair, fakeResult } from '../testing/fakes.ts';
import { failedBaselines, isGivenUp } from './given-up.ts';

const failed = (name: string) => faultOf('requests-failed', 'status 500', name);

/** The scenario of each pair in its order, and the fault that it has. */
type Pairs = [string, Fault | undefined][];

function afterPairs(pairs: Pairs) {
  const result = fakeResult(
    pairs.map(([scenario, fault]) => ({ ...fakePair(scenario), faults: fault ? [fault] : [] })),
  );
  const rows = fakeRows().filter((row) => isGivenUp(row, result));
  return { rows: rows.map(({ label }) => label), baselines: failedBaselines(result) };
}

test.each([
  ['no fault', [], []],
  ['one failed pair', [['other', failed('other')]], []],
  [
    'two in a row that fail alike',
    [
      ['other', failed('other')],
      ['base', undefined],
      ['other', failed('other')],
    ],
    ['other'],
  ],
  [
    'two that fail in other ways',
    [
      ['other', failed('other')],
      ['other', faultOf('server-ended', '', 'other')],
    ],
    [],
  ],
  [
    'a good one after a failed one',
    [
      ['other', failed('other')],
      ['other', undefined],
      ['other', failed('other')],
    ],
    [],
  ],
] as [string, Pairs, string[]][])(
  'a row is given up by what its own last pairs show: %s',
  (_, pairs, rows) => {
    expect(afterPairs(pairs)).toEqual({ rows, baselines: [] });
  },
);

test('all rows of a task are given up whose baseline fails alike, in pairs of whichever rows', () => {
  const pairs: Pairs = [
    ['other', failed('base')],
    ['base', failed('base')],
  ];
  expect(afterPairs(pairs)).toEqual({
    rows: ['base', 'other'],
    baselines: [{ task: 'default', fault: failed('base') }],
  });
  expect(afterPairs([...pairs, ['base', undefined]])).toEqual({ rows: [], baselines: [] });
});
