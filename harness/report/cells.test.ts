import { expect, test } from 'bun:test';
import {
  figureColumns,
  intervalCell,
  intervalText,
  MIB,
  MS,
  notKnownNotes,
  PERCENT,
  plain,
  type Table,
  US,
} from './cells.ts';

const around = (value: number, halfWidth: number) => ({
  value,
  low: value - halfWidth,
  high: value + halfWidth,
});

test.each([
  [MS, around(185, 46), '+0.185 ±0.046 ms'],
  [MS, around(10, 50), 'n.s. (+0.010 ±0.050 ms)'],
  [MS, around(-310_000, 25_000), '-310 ±25 ms'],
  [MS, around(185, Number.POSITIVE_INFINITY), '+0.18 ms (too few pairs)'],
  [US, around(2.144, 0.261), '+2.14 ±0.26 µs'],
  [US, around(0.0004, 0.03), 'n.s. (0.000 ±0.030 µs)'],
  [US, around(2, 0), '+2.0000 ±0.0000 µs'],
  [PERCENT, around(-0.183, 0.012), '-18.3 ±1.2 %'],
  [PERCENT, around(Number.NaN, Number.NaN), '-'],
  [MIB, around(2 ** 20, 2 ** 19), '+1.00 ±0.50 MiB'],
])('in %j %j is %s', (scale, interval, text) => {
  expect(intervalText(scale, interval)).toBe(text);
});

test.each([
  ['n.s.', around(0.04, 0.5), 'insignificant'],
  ['not known', around(0.04, 0.51), 'unclear'],
] as const)(
  'a difference that may be none is %s by the width of its interval',
  (text, interval, tone) => {
    expect(intervalCell(US, { ...interval, baseline: 10 })).toMatchObject({
      text: expect.stringContaining(`${text} (+0.04 ±0.5`),
      tone,
    });
  },
);

test('what is not known is explained beside a table that has it', () => {
  const tableOf = (whole: number): Table => ({
    names: ['Scenario'],
    figures: figureColumns(['Cost']),
    rows: [[plain('a'), intervalCell(US, around(0, 1), whole)]],
  });
  expect(notKnownNotes([tableOf(10)], 'the baseline')).toEqual([
    'Not known: perhaps no difference, perhaps more than 5 % of the baseline.',
  ]);
  expect(notKnownNotes([tableOf(100)], 'the baseline')).toEqual([]);
});
