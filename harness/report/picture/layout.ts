/** How a picture is laid out: all in px. */
export interface Layout {
  width: number;
  /** The room for titles at the left; 0 if a title stands above its mark. */
  titlesWidth: number;
  /** The height of a line: of its title too, if that stands above. */
  rowHeight: number;
  /** Whether panels lie below each other. */
  isStacked: boolean;
}

/** Whether titles stand above what they name, and not at the left. */
export function isTitleAbove({ titlesWidth }: Layout): boolean {
  return titlesWidth === 0;
}

/** A README has room for a picture of this width. */
export const WIDE: Layout = { width: 832, titlesWidth: 305, rowHeight: 20, isStacked: false };
/** On a phone, titles and figures stand above their marks. */
export const NARROW: Layout = { width: 342, titlesWidth: 0, rowHeight: 40, isStacked: true };

export const FIGURES_WIDTH = 112;
export const HEADING_HEIGHT = 22;
/** The height of the numbers below an axis. */
export const AXIS_HEIGHT = 24;
/** The distance between the panels of two tasks. */
export const TASK_GAP = 8;
export const CAPTION_LINE_HEIGHT = 16;
/** The distance between the last axis and the caption, and below that. */
export const CAPTION_PADDING = 8;
/** From the upper edge of a line of text to its baseline. */
export const BASELINE_OFFSET = 14;
/** From the middle of a mark to the baseline of a text beside it. */
export const ROW_BASELINE_OFFSET = 4;
/** From the middle of a mark up to the baseline of a text above it. */
export const TITLE_ABOVE_OFFSET = 12;
/** From the middle of the mark to the lower edge of its line. */
export const MARK_BOTTOM = 10;
/** The distance between what stands in a panel and its edges. */
export const PANEL_PADDING = 8;
/** The distance between the figures of a panel and its right edge. */
export const FIGURES_PADDING = 4;
/** The distance between the titles and the first panel. */
export const TITLES_GAP = 16;
