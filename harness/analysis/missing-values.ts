import { sum } from 'simple-statistics';

/**
 * Returns the mean, in the unit of the values. It is no number if there are no values, or if one is
 * missing: a mean of the rest would be of something else.
 */
export function meanOf(values: (number | null | undefined)[]): number {
  return sum(values.map((value) => value ?? Number.NaN)) / values.length;
}

/** Returns null for what is no finite number. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
