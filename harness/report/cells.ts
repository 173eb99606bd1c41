import {
  clarityOf,
  halfWidth,
  type Interval,
  isBounded,
  SMALL_SHARE,
} from '../analysis/interval.ts';
import { asPercent, decimalsOf, signed, type Unit } from '../words/units.ts';

/**
 * How a cell is to be taken, beside its text. `insignificant`: there may be no difference.
 * `unclear`: nor is it known well enough to say that there is none. `marked`: a warning is about
 * it.
 */
export type Tone =
  | 'plain'
  | 'insignificant'
  | 'unclear'
  | 'better'
  | 'worse'
  | 'invalid'
  | 'marked';

/** What stands in one place of a table. */
export interface Cell {
  text: string;
  tone: Tone;
}

/** A column with figures. */
export interface FigureColumn {
  heading: string;
  /** Whether a reader comes for it: where there is no room, other columns go. */
  isEssential: boolean;
}

/** A table as it is printed: the cells at the left are names, the others are figures. */
export interface Table {
  /** Headings of the columns with names. */
  names: string[];
  figures: FigureColumn[];
  rows: Cell[][];
}

/**
 * What stands under one heading or none, in this order. It is plain text: every format shows all of
 * it, and escapes it as it needs.
 */
export interface Section {
  heading?: string;
  tables?: Table[];
  paragraphs?: string[];
  list?: string[];
  /** What speaks against the figures: it goes on with the list. */
  warnings?: string[];
}

/** How a figure is printed. */
export interface Scale {
  unit: Unit;
  /** How much the analysis counts as one of this unit. */
  size: number;
}

export const US: Scale = { unit: 'µs', size: 1 };
/** Times in ms, which the analysis has in µs. */
export const MS: Scale = { unit: 'ms', size: 1e3 };
export const MIB: Scale = { unit: 'MiB', size: 2 ** 20 };
export const PERCENT: Scale = { unit: '%', size: 0.01 };

/** This mark stands on what a warning is about. */
export const MARK = '†';
export const NOT_MEASURED = '-';

export function plain(text: string): Cell {
  return { text, tone: 'plain' };
}

/** Returns columns of a table of which none matters less than the others. */
export function figureColumns(headings: readonly string[]): FigureColumn[] {
  return headings.map((heading) => ({ heading, isEssential: false }));
}

/** A difference with its interval. */
export interface Difference extends Interval {
  /** What it is held against; if left out or not a number, nobody knows that. */
  baseline?: number;
}

/** What stands around a difference that may be none. */
const UNSURE_TEXTS = { insignificant: 'n.s.', unclear: 'not known' };

/**
 * Returns the cell of a difference.
 * @param whole what it is held against, if that is not its baseline
 */
export function intervalCell(
  scale: Scale,
  difference: Difference,
  whole = difference.baseline,
): Cell {
  const clarity = isBounded(difference) ? clarityOf(difference, whole) : 'significant';
  const tone = clarity === 'significant' ? 'plain' : clarity;
  return { text: intervalText(scale, difference, whole), tone };
}

/**
 * Returns `+2.14 ±0.26 µs`; `n.s. (+0.01 ±0.05 µs)` if there may be no difference, and `not known
 * (+0.8 ±1.6 µs)` if there may be a large one, too.
 */
export function intervalText(
  scale: Scale,
  difference: Difference,
  whole = difference.baseline,
): string {
  const text = plusMinusText(scale, difference);
  if (!isBounded(difference)) return text;
  const clarity = clarityOf(difference, whole);
  return clarity === 'significant' ? text : `${UNSURE_TEXTS[clarity]} (${text})`;
}

const INTERVAL_NOTE = '± is a 95 % interval; n.s. means no significant difference.';

/**
 * Returns what the signs beside a difference mean, for a caption: of `not known` only where one of
 * the tables has it.
 * @param whole what differences are held against
 */
export function intervalNote(tables: readonly Table[], whole: string): string {
  return [INTERVAL_NOTE, ...notKnownNotes(tables, whole)].join(' ');
}

/** Returns what `not known` means; nothing if none of the tables has it. */
export function notKnownNotes(tables: readonly Table[], whole: string): string[] {
  const hasUnclear = tables.some(({ rows }) => rows.flat().some(({ tone }) => tone === 'unclear'));
  if (!hasUnclear) return [];
  const large = `${asPercent(SMALL_SHARE)} of ${whole}`;
  return [`Not known: perhaps no difference, perhaps more than ${large}.`];
}

/** Returns `+0.01 ±0.05 µs`. Both numbers have as many decimals. */
export function plusMinusText({ unit, size }: Scale, interval: Interval): string {
  const value = interval.value / size;
  const half = halfWidth(interval) / size;
  if (Number.isNaN(value)) return NOT_MEASURED;
  if (!Number.isFinite(half)) return `${signed(value)} ${unit} (too few pairs)`;
  const decimals = decimalsOf(half);
  return `${signed(value, decimals)} ±${half.toFixed(decimals)} ${unit}`;
}

/** Returns `0.24 ±0.05 µs`, for a sentence that says whether that is more or less. */
export function amountText(scale: Scale, interval: Interval): string {
  return plusMinusText(scale, interval).replace(/^[+-]/, '');
}

/** Returns a multiple with its interval: `2.83 ±0.17 x`. */
export function multipleIntervalText(interval: Interval): string {
  return `${timesText(interval)} x`;
}

/** Returns the same for a sentence that says `times`: `2.83 ±0.17`. */
export function timesText(interval: Interval): string {
  const { value } = interval;
  const half = halfWidth(interval);
  if (!Number.isFinite(half)) return value.toFixed(2);
  const decimals = Math.min(3, decimalsOf(half));
  return `${value.toFixed(decimals)} ±${half.toFixed(decimals)}`;
}

/** Returns the cell with a mark. */
export function marked({ text }: Cell): Cell {
  return { text: `${text} ${MARK}`, tone: 'marked' };
}
