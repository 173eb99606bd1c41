import { halfWidth, holdsZero, type Interval } from '../analysis/estimate.ts';
import { decimalsOf, figureText, signed, type Unit } from '../words/units.ts';

/** What is printed as a change, and in which unit: its figure in the analysis times the factor. */
export const CHANGE_UNITS = {
  latencyUs: { unit: 'ms', factor: 1e-3 },
  cpuUs: { unit: 'µs', factor: 1 },
  p99Us: { unit: 'ms', factor: 1e-3 },
  memoryBytes: { unit: 'MiB', factor: 2 ** -20 },
  startUpMs: { unit: 'ms', factor: 1 },
  relative: { unit: '%', factor: 100 },
} satisfies Record<string, { unit: Unit; factor: number }>;
export type Changing = keyof typeof CHANGE_UNITS;

/** What stands in a cell, until it is printed: words or a figure. */
export type Plain = string | { interval: Interval; quantity: Changing } | { value: number; unit: Unit };
/** The same with a mark, if a warning changes how it is to be read. */
export type Cell = Plain | { of: Plain; isMarked: boolean };

export interface Table {
  /** Headings of the columns at the left, which are names, and of those with figures. */
  names: string[];
  figures: string[];
  rows: Cell[][];
}

/** What stands under one heading or none, in this order. Plain text: every format shows all of it, and escapes it as it needs. */
export interface Section {
  heading?: string;
  tables?: Table[];
  paragraphs?: string[];
  list?: string[];
}

export const intervalCell = (quantity: Changing, interval: Interval): Plain => ({ interval, quantity });

/** A mark stands on what a warning is about. */
export const MARK = '†';
export const NOT_MEASURED = '-';

export function cellText(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if ('of' in cell) return cellText(cell.of) + (cell.isMarked ? ` ${MARK}` : '');
  if ('interval' in cell) return intervalText(cell.quantity, cell.interval);
  return figureText(cell.value, cell.unit);
}

/** `+2.14 ±0.26 µs`, and `n.s. (+0.01 ±0.05 µs)` if the interval holds zero. Both numbers have as many decimals. */
export function intervalText(quantity: Changing, interval: Interval, isShort = false): string {
  const { unit, factor } = CHANGE_UNITS[quantity];
  const [value, width] = [interval.value * factor, halfWidth(interval) * factor];
  if (Number.isNaN(value)) return '-';
  const why = isShort ? '' : ` (${quantity === 'startUpMs' ? 'too few starts' : '1 pair'}: no interval)`;
  if (!Number.isFinite(width)) return `${signed(value)} ${unit}${why}`;
  const decimals = decimalsOf(width);
  const text = `${signed(value, decimals)} ±${width.toFixed(decimals)} ${unit}`;
  return holdsZero(interval) ? `n.s. (${text})` : text;
}
