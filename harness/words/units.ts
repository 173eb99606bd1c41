import { halfWidth, holdsZero, type Interval } from '../analysis/estimate.ts';
import type { Quantity } from '../analysis/figures.ts';

/** What is printed as a change: some quantities of the analysis, and of footprints. */
export type Changing = Quantity | 'rssBytes' | 'startUpMs';

/** What a change is printed in: its figure in the analysis times the factor. */
export const CHANGE_UNITS: Record<Changing, { unit: string; factor: number }> = {
  latencyUs: { unit: 'ms', factor: 1e-3 },
  cpuUs: { unit: 'µs', factor: 1 },
  throughput: { unit: '%', factor: 100 },
  rssBytes: { unit: 'MiB', factor: 2 ** -20 },
  startUpMs: { unit: 'ms', factor: 1 },
};

/** `0.024`, `2.14`, `16.5`, `812`. */
export const asNumber = (value: number) => value.toFixed(plainDecimals(value));
/** Figures with their unit: `1.65 ms`, `16.5 µs`, `60460/s`, `3.4 %`, `97 %`, `64.2 MiB`, `812 MB/s`. */
export const asMs = (timeUs: number) => `${asNumber(timeUs / 1e3)} ms`;
export const asUs = (timeUs: number) => `${asNumber(timeUs)} µs`;
export const asRate = (perSecond: number) => `${asNumber(perSecond)}/s`;
export const asPercent = (share: number) => `${Number((share * 100).toFixed(share < 0.0995 ? 1 : 0))} %`;
export const asMiB = (bytes: number) => `${asNumber(bytes / 2 ** 20)} MiB`;
export const asMBs = (bytesPerSecond: number) => `${asNumber(bytesPerSecond / 1e6)} MB/s`;

/** With its interval: `+2.14 µs ±0.26`, and `~ +0.01 µs ±0.05` if that holds zero. Both have as many decimals. */
export function intervalCell(quantity: Changing, figure: Interval): string {
  const { unit, factor } = CHANGE_UNITS[quantity];
  const [value, width] = [figure.value * factor, halfWidth(figure) * factor];
  if (Number.isNaN(value)) return '-';
  const few = quantity === 'startUpMs' ? 'too few starts' : '1 pair';
  if (!Number.isFinite(width)) return `${signed(value)} ${unit} (${few}: no interval)`;
  const decimals = decimalsOf(width);
  const mark = holdsZero(figure) ? '~ ' : '';
  return `${mark}${signed(value, decimals)} ${unit} ±${width.toFixed(decimals)}`;
}

/** With its sign, unless it rounds to zero: `+0.24`. */
export function signed(value: number, decimals = plainDecimals(value)): string {
  const digits = Math.abs(value).toFixed(decimals);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '-' : '+'}${digits}`;
}

/** How many decimals give a half-width two significant digits: 2 for 0.26, none from 10 on, 4 at most. */
export function decimalsOf(halfWidth: number): number {
  const magnitude = Math.floor(Math.log10(Number(halfWidth.toPrecision(2))));
  return Math.min(4, Math.max(0, 1 - magnitude));
}

/** About three digits: 3 decimals below 0.1, 2 below 10, none from 100 on. */
function plainDecimals(value: number): number {
  const size = Math.abs(value);
  if (size < 0.1) return size === 0 ? 0 : 3;
  if (size < 10) return 2;
  return size < 100 ? 1 : 0;
}
