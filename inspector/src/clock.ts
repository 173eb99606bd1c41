import type { HrTime, TimeInput } from '@opentelemetry/api';

const toleranceMs = 5;
let offsetMs = performance.timeOrigin;

/** Returns what to add to `performance.now()` for ms since the epoch. A trace asks once: its spans stay in order. */
export function epochOffsetMs(): number {
  const currentMs = Date.now() - performance.now();
  if (Math.abs(currentMs - offsetMs) > toleranceMs) offsetMs = currentMs;
  return offsetMs;
}

/** Returns s and ns since the epoch. One double of ms since the epoch would only resolve 0.24 µs. */
export function toHrTime(epochOffset: number, monotonic: number): HrTime {
  const offsetSeconds = Math.trunc(epochOffset / 1000);
  const nanoseconds = Math.round((epochOffset - offsetSeconds * 1000 + monotonic) * 1e6);
  const carry = Math.floor(nanoseconds / 1e9);
  return [offsetSeconds + carry, nanoseconds - carry * 1e9];
}

/** Tells a time, as the API takes it, from a span's attributes. */
export function isTimeInput(value: unknown): value is TimeInput {
  const isPair = Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'number');
  return isPair || typeof value === 'number' || value instanceof Date;
}

/** Returns ms of the monotonic clock for a time since the epoch. */
export function toMonotonicMs(time: TimeInput, epochOffset: number): number {
  if (!Array.isArray(time)) return Number(time) - epochOffset;
  const [seconds, nanoseconds] = time;
  return seconds * 1000 - epochOffset + nanoseconds / 1e6;
}
