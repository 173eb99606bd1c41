import { html } from 'hono/html';
import type { Run } from '../../analysis/analysis.ts';
import { type Row, sortedRows, type TaskAnalysis } from '../../analysis/rows.ts';
import type { Warning } from '../../analysis/warnings/list.ts';
import { MARK } from '../cells.ts';
import { ROW_BASELINE_OFFSET, ROW_HEIGHT, TITLES_GAP, TITLES_WIDTH } from './layout.ts';
import { drawText, type Markup } from './shapes.ts';

/** A row of a task, which is a line through all panels. */
export interface PictureLine {
  row: Row;
  /** Warnings of this row alone. */
  warnings: Warning[];
  /** The middle of the line, in px from the top of its task. */
  y: number;
}

/** The widths of characters in a usual font, in px: small letters and spaces, and all others. */
const NARROW_PX = 6.3;
const WIDE_PX = 12;

/**
 * Returns a line for each row of a task, the first of them `top` px below the task's upper edge.
 */
export function pictureLines(run: Run, task: TaskAnalysis, top: number): PictureLine[] {
  return sortedRows(run, task).map((row, index) => ({
    row,
    warnings: run.warnings.filter(
      (warning) => warning.task === row.task && warning.scenario === row.scenario,
    ),
    y: top + (index + 0.5) * ROW_HEIGHT,
  }));
}

/** Returns the title of a line, with a mark if there are warnings about it. */
export function drawTitle({ row, warnings, y }: PictureLine): Markup {
  const mark = warnings.length > 0 ? ` ${MARK}` : '';
  return html`${drawText(0, y + ROW_BASELINE_OFFSET, 'start', shorten(row.title) + mark)}\n`;
}

/** Returns as much of a title as fits beside the panels. */
function shorten(title: string): string {
  const characters = [...title];
  let widthPx = 0;
  const overflow = characters.findIndex((character) => {
    widthPx += /[a-z ]/.test(character) ? NARROW_PX : WIDE_PX;
    return widthPx > TITLES_WIDTH - TITLES_GAP;
  });
  return overflow < 0 ? title : `${characters.slice(0, overflow - 1).join('')}…`;
}
