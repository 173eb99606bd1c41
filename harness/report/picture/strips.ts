import { html } from 'hono/html';
import { isTitleAbove, type Layout } from './layout.ts';
import { drawText, type Markup } from './shapes.ts';

/*
 * Strips show what became of each row in the course of time: one below the other, with the title at
 * the left, or above it on a narrow screen.
 */

/** The room between two strips. */
export const STRIP_GAP = 8;
/** The room for numbers at the left of a strip. */
export const NUMBERS_WIDTH = 44;
/** Numbers at a strip are at least so far apart, in px. */
export const MIN_NUMBER_DISTANCE_PX = 13;
export const GRID_OPACITY = 0.2;
/** The room for a line of text above its strip. */
const TITLE_HEIGHT = 18;

/** Returns the room for a title above its strip; 0 if it stands at the left. */
export function titleHeight(layout: Layout): number {
  return isTitleAbove(layout) ? TITLE_HEIGHT : 0;
}

/** Returns a line across a strip, and its number at the left. */
export function drawGridLine(left: number, right: number, y: number, number: string): Markup {
  const line = `M${left.toFixed(1)} ${y.toFixed(1)}H${right.toFixed(1)}`;
  const text = drawText(left - 4, Math.round(y) + 4, 'end', number);
  return html`<path d="${line}" stroke="currentColor" opacity="${GRID_OPACITY}"/>${text}`;
}
