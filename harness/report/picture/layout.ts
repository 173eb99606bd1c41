/*
 * Everything in px. A README has room for a picture of this width; titles stand at its left, and
 * figures at the right of each panel.
 */
export const WIDTH = 832;
export const TITLES_WIDTH = 305;
export const FIGURES_WIDTH = 112;
export const ROW_HEIGHT = 20;
export const HEADING_HEIGHT = 22;
/** The height of the numbers below an axis. */
export const AXIS_HEIGHT = 24;
/** The distance between the panels of two tasks. */
export const TASK_GAP = 8;
export const CAPTION_LINE_HEIGHT = 16;
export const CAPTION_HEIGHT = 40;
/** From the upper edge of a line of text to its baseline. */
export const BASELINE_OFFSET = 14;
/** From the middle of a row to the baseline of its text. */
export const ROW_BASELINE_OFFSET = 4;
/** The distance between what stands in a panel and its edges. */
export const PANEL_PADDING = 8;
/** The distance between the figures of a panel and its right edge. */
export const FIGURES_PADDING = 4;
/** The distance between the titles and the first panel. */
export const TITLES_GAP = 16;
