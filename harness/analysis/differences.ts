import { mean, sum } from 'simple-statistics';
import type { Loaded, Pair, Side } from '../result/schema.ts';
import type { Quantity } from './model.ts';

/** What a pair says, as numbers. Null for what was not measured. */

/** Slices of either kind. */
type Slices = Record<Side, Loaded>[];

/** One number of each pair: scenario minus baseline, of throughput relative to the baseline. */
export const DIFFERENCES: Record<Quantity, (pair: Pair) => number | null> = {
  latencyUs: ({ alternating }) => difference(alternating, meanLatencyUs),
  cpuUs: ({ duets }) => cpuDifferenceUs(duets),
  throughput: ({ alternating }) => ratio(difference(alternating, throughput), throughput(alternating, 'baseline')),
};

export function cpuDifferenceUs(duets: Slices): number | null {
  return difference(duets, cpuPerRequestUs);
}

/** Mean over slices of the mean latency, in µs. */
export function meanLatencyUs(slices: Slices, side: Side): number | null {
  return meanOrNull(slices.map((slice) => slice[side].latencyUs?.mean ?? null));
}

/** Requests a second: all requests / all seconds, never the mean of short samples that some load tools print. */
export function throughput(slices: Slices, side: Side): number | null {
  return ratio(total(slices, side, 'requests'), total(slices, side, 'seconds'));
}

/** CPU time of all slices / requests of all slices, in µs. */
export function cpuPerRequestUs(slices: Slices, side: Side): number | null {
  return ratio(total(slices, side, 'cpuNs', 1e-3), total(slices, side, 'requests'));
}

/** CPU time / time under load: 1 for a full core. */
export function busyShare(slices: Slices, side: Side): number | null {
  return ratio(total(slices, side, 'cpuNs', 1e-9), total(slices, side, 'seconds'));
}

export function minus(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b;
}

/** Null if there are no values, or if one is missing: a mean of the rest would be of something else. */
export function meanOrNull(values: (number | null)[]): number | null {
  return isWhole(values) ? mean(values) : null;
}

/** Whether there are values, and none is missing. */
export function isWhole<Value>(values: (Value | null)[]): values is Value[] {
  return values.length > 0 && !values.includes(null);
}

function difference(slices: Slices, read: (slices: Slices, side: Side) => number | null): number | null {
  return minus(read(slices, 'scenario'), read(slices, 'baseline'));
}

function total(slices: Slices, side: Side, of: 'requests' | 'seconds' | 'cpuNs', factor = 1): number | null {
  const values = slices.map((slice) => slice[side][of]);
  return isWhole(values) ? sum(values) * factor : null;
}

function ratio(value: number | null, by: number | null): number | null {
  return value === null || !by ? null : value / by;
}
