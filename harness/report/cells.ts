import { halfWidth, holdsZero, type Interval } from '../analysis/interval.ts';
import { decimalsOf, signed, type Unit } from '../words/units.ts';

/** What is printed: cells of the columns at the left are names, the others figures. */
export interface Table {
  names: string[];
  figures: string[];
  rows: string[][];
}

/** What stands under one heading or none, in this order. Plain text: every format shows all of it, and escapes it as it needs. */
export interface Section {
  heading?: string;
  tables?: Table[];
  paragraphs?: string[];
  list?: string[];
}

/** In what a figure is printed, and how much of it the analysis counts as one. */
export type Scale = [unit: Unit, size: number];
export const US: Scale = ['µs', 1];
/** Of times that the analysis has in µs. */
export const MS: Scale = ['ms', 1e3];
export const MIB: Scale = ['MiB', 2 ** 20];
export const PERCENT: Scale = ['%', 0.01];

/** A mark stands on what a warning is about. */
export const MARK = '†';
export const NOT_MEASURED = '-';

/** `+2.14 ±0.26 µs`, and `n.s. (+0.01 ±0.05 µs)` if the interval holds zero. Both numbers have as many decimals. */
export function intervalText([unit, size]: Scale, interval: Interval): string {
  const [value, width] = [interval.value / size, halfWidth(interval) / size];
  if (Number.isNaN(value)) return NOT_MEASURED;
  if (!Number.isFinite(width)) return `${signed(value)} ${unit} (1 pair: no interval)`;
  const decimals = decimalsOf(width);
  const text = `${signed(value, decimals)} ±${width.toFixed(decimals)} ${unit}`;
  return holdsZero(interval) ? `n.s. (${text})` : text;
}
