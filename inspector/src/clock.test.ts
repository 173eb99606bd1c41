import { expect, test } from 'bun:test';
import type { HrTime } from '@opentelemetry/api';
import { isTimeInput as isTimeInputOfSdk } from '@opentelemetry/core';
import { isTimeInput, toHrTime, toMonotonicMs } from './clock.ts';

test('what is a time is what the SDK takes for one', () => {
  const values = [0, 1.5, new Date(), [1_700_000_000, 0], [1], [1, 2, 3], ['1', 2], '1', null, undefined, { a: 1 }];
  expect(values.map(isTimeInput)).toEqual(values.map((value) => isTimeInputOfSdk(value)));
});

test('a date, ms and a pair mean the same moment', () => {
  const epochOffset = 1_699_999_999_000.25;
  const ms = 1_700_000_000_500;
  for (const time of [ms, new Date(ms), [1_700_000_000, 500_000_000] as HrTime]) {
    const monotonic = toMonotonicMs(time, epochOffset);
    expect(monotonic).toBeCloseTo(1_499.75, 6);
    expect(toHrTime(epochOffset, monotonic)).toEqual([1_700_000_000, 500_000_000]);
  }
});
