import { sum } from 'simple-statistics';
import type { Loaded, Pair, Side } from '../result/schema.ts';

/** Slices of whatever kind, as far as they say what each server did. */
type Slices = Record<Side, Loaded>[];

/**
 * Returns requests that the servers worked for: some load tools leave without their last answers,
 * which are made all the same.
 */
export function served(slices: Slices, side: Side): number {
  return totalOf(slices, side, 'requests') + totalOf(slices, side, 'underWay');
}

/** Returns the share of answers that woke the load tool: one may wake several of its threads. */
export function wokenShare(slices: Slices, side: Side): number {
  return Math.min(1, totalOf(slices, side, 'toolSleeps') / totalOf(slices, side, 'requests'));
}

/**
 * Returns the CPU time of a request in µs; not a number if no clock tells, or if none was served.
 */
export function cpuUsIn(slices: Slices, side: Side): number {
  return totalOf(slices, side, 'cpuNs') / 1e3 / served(slices, side);
}

/** Returns how many answers a server gave in its alternating slices. */
export function answersIn(pairs: readonly Pair[], side: Side): number {
  return sum(pairs.map(({ alternating }) => totalOf(alternating, side, 'requests')));
}

/** Returns how long the load tool's cores were busy, in ns; not a number if nothing tells. */
export function toolBusyNs(alternating: Pair['alternating'], side: Side): number {
  return sum(alternating.map(({ cores }) => cores[side]?.tool.busyNs ?? Number.NaN));
}

/** Returns the sum of a field over slices, in its unit; not a number if one of them has none. */
export function totalOf(
  slices: Slices,
  side: Side,
  field: 'requests' | 'underWay' | 'seconds' | 'cpuNs' | 'toolSleeps',
): number {
  return sum(slices.map((slice) => slice[side][field] ?? Number.NaN));
}
