import { expect, test } from 'bun:test';
import { fakeDuetFork, fakeMeasurement, fakeResult } from '../testing/fakes.ts';
import { summarise } from './summary.ts';

/** 100 connections; both servers busy for `share` of the second, and the duet saying `ratio`. */
function consistency(otherLatencyUs: number, ratio: number, share = 1) {
  const measurement = (scenario: string, latencyUs: number) => ({
    ...fakeMeasurement(scenario, latencyUs, 1e8 / latencyUs),
    cpuNs: share * 1e9,
  });
  const round = () => [measurement('base', 2_000), measurement('other', otherLatencyUs)];
  const result = fakeResult([round(), round(), round()]);
  result.duetForks = [1, 2, 3].map(() => fakeDuetFork('other', 10, 10 * ratio));
  return summarise(result).consistency;
}

test('on saturated servers the change in ms is connections x the change of CPU per request', () => {
  // 20 µs a request at 100 connections are 2 ms; a ratio of 1.5 makes 10 µs more, and 1 ms.
  expect(consistency(3_000, 1.5)?.rows).toEqual([
    { title: 'Other', measuredUs: 1_000, expectedUs: expect.closeTo(1_000, 6), agrees: true },
  ]);
  expect(consistency(3_000, 1.3)?.rows[0]?.agrees).toBe(false);
});

test('a server that was not saturated is not held to it', () => {
  expect(consistency(3_000, 1.5, 0.6)).toBeUndefined();
});
