import type { Run } from '../../analysis/analysis.ts';
import { type Row, sortedRows, type TaskAnalysis } from '../../analysis/rows.ts';
import { type Warning, warningsAbout } from '../../analysis/warnings/list.ts';
import { MARK } from '../cells.ts';
import { isTitleAbove, type Layout, MARK_BOTTOM } from './layout.ts';

/** A row of a task, which is a line through all panels. */
export interface PictureLine {
  row: Row;
  /** Warnings of this row alone. */
  warnings: Warning[];
  /** The middle of its mark, in px from the first line's upper edge. */
  y: number;
}

/** The widths of characters in a usual font, in px: small letters and spaces, and all others. */
const NARROW_PX = 6.3;
const WIDE_PX = 12;
/** How much of a title that is cut is its beginning. */
const START_SHARE = 0.6;

/** Returns a line for each row of a task. */
export function pictureLines(run: Run, task: TaskAnalysis, layout: Layout): PictureLine[] {
  const { rowHeight } = layout;
  const markBottom = isTitleAbove(layout) ? MARK_BOTTOM : rowHeight / 2;
  return sortedRows(run, task).map((row, index) => ({
    row,
    warnings: warningsAbout(run, row.task, row.scenario),
    y: (index + 1) * rowHeight - markBottom,
  }));
}

/** Returns a title that fits into so many px, with a mark if there are warnings about its row. */
export function titleOf({ row, warnings }: PictureLine, widthPx: number): string {
  const mark = warnings.length > 0 ? ` ${MARK}` : '';
  return shorten(row.title, widthPx) + mark;
}

/**
 * Returns a title with its middle left out if it needs more px: titles of one table often differ at
 * their end.
 */
export function shorten(title: string, widthPx: number): string {
  const characters = [...title];
  if (widthOf(characters) <= widthPx) return title;
  const roomPx = widthPx - WIDE_PX;
  const start = charactersWithin(characters, START_SHARE * roomPx);
  const end = charactersWithin(characters.toReversed(), (1 - START_SHARE) * roomPx).toReversed();
  return `${start.join('').trimEnd()}…${end.join('').trimStart()}`;
}

function charactersWithin(characters: readonly string[], widthPx: number): string[] {
  let usedPx = 0;
  const overflow = characters.findIndex((character) => {
    usedPx += widthOf([character]);
    return usedPx > widthPx;
  });
  return overflow < 0 ? [...characters] : characters.slice(0, overflow);
}

function widthOf(characters: readonly string[]): number {
  const wide = characters.filter((character) => !/[a-z ]/.test(character)).length;
  return wide * WIDE_PX + (characters.length - wide) * NARROW_PX;
}
