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

/** The moment in s and ns since the epoch. Never held as one double of ms, which resolves only 0.24 µs. */
export function toHrTime(epochOffset: number, monotonic: number): HrTime {
  const offsetSeconds = Math.trunc(epochOffset / 1000);
  const nanoseconds = Math.round((epochOffset - offsetSeconds * 1000 + monotonic) * 1e6);
  const carry = Math.floor(nanoseconds / 1e9);
  return [offsetSeconds + carry, nanoseconds - carry * 1e9];
}
