import { addHrTimes, millisToHrTime } from '@opentelemetry/core';
import type { HrTime } from './sdk.ts';

const toleranceMs = 5;
let offsetMs = performance.timeOrigin;

/** Monotonic time in ms since the process started; all durations are differences of it. */
export const monotonicMs = () => performance.now();

/**
 * What to add to `monotonicMs()` to get ms since the Unix epoch. Follows the system clock when that was set or the
 * machine slept. A trace takes it once, at its local root, so that its spans stay in order among themselves.
 */
export function epochOffsetMs(nowMs: number): number {
  const driftMs = Date.now() - (offsetMs + nowMs);
  if (driftMs > toleranceMs || driftMs < -toleranceMs) offsetMs += driftMs;
  return offsetMs;
}

/** Added as pairs of [s, ns]: one double holds ms since the epoch only to 0.24 µs. */
export function toHrTime(offset: number, monotonic: number): HrTime {
  return addHrTimes(millisToHrTime(offset), millisToHrTime(monotonic));
}
