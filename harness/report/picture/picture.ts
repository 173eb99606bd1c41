import { html } from 'hono/html';
import type { Run } from '../../analysis/analysis.ts';
import type { Quantity } from '../../analysis/quantities.ts';
import type { TaskAnalysis } from '../../analysis/rows.ts';
import { MARK } from '../cells.ts';
import { needsLogarithm } from './axis.ts';
import {
  AXIS_HEIGHT,
  BASELINE_OFFSET,
  CAPTION_LINE_HEIGHT,
  CAPTION_PADDING,
  HEADING_HEIGHT,
  isTitleAbove,
  type Layout,
  NARROW,
  TASK_GAP,
  WIDE,
} from './layout.ts';
import { type PictureLine, pictureLines } from './lines.ts';
import {
  axisValuesOf,
  drawPanel,
  drawTitles,
  figureInWords,
  type Panel,
  panelsWithFigures,
  type SharedAxis,
} from './panel.ts';
import { drawHeading, drawSvg, drawText, heightOf, type Markup, stackParts } from './shapes.ts';

/**
 * Where a picture is shown: in a README, light or dark, or in a page, on a wide or narrow screen.
 */
export type Theme = 'light' | 'dark' | 'page' | 'narrow-page';

/** What is drawn of one task. */
interface TaskDrawing {
  /** Empty if the run has one task. */
  name: string;
  lines: PictureLine[];
  panels: Panel[];
  /** In px, with the gap to the next task. */
  height: number;
}

/** The axes of a picture. */
type SharedAxes = Map<Quantity, SharedAxis>;

/** How a theme looks. */
interface Look {
  /** The colour of main text, which is GitHub's in a README. */
  ink: string;
  layout: Layout;
  /** Lines below the panels; a page has text of its own. */
  caption: readonly string[];
}

/** What marks mean. A page says it beside the picture. */
export const CAPTION = [
  'Mark: mean over all pairs; hollow if spans were lost. Whisker: 95 % interval. ' +
    'Faint dots: single pairs.',
  `Grey: no significant difference. ${MARK}: a warning changes how the row is to be read.`,
] as const;

const LOOKS: Record<Theme, Look> = {
  light: { ink: '#1f2328', layout: WIDE, caption: CAPTION },
  dark: { ink: '#e6edf3', layout: WIDE, caption: CAPTION },
  page: { ink: 'currentColor', layout: WIDE, caption: [] },
  'narrow-page': { ink: 'currentColor', layout: NARROW, caption: [] },
};

/**
 * Returns an SVG that shows what every scenario costs more than its baseline. Everything that comes
 * from the run is escaped.
 */
export function picture(run: Run, theme: Theme): string {
  const { ink, layout, caption } = LOOKS[theme];
  const drawings = run.tasks
    .map((task) => planTask(run, task, layout))
    .filter(({ panels }) => panels.length > 0);
  const axes = sharedAxes(drawings);
  const parts = drawings.map((drawing) => ({
    content: drawTask(drawing, axes, layout),
    height: drawing.height,
  }));
  const captionTop = heightOf(parts);
  return drawSvg({
    label: drawings.map(labelOf).join(' '),
    width: layout.width,
    height: captionTop + captionHeight(caption),
    content: [...stackParts(parts), ...drawCaption(caption, captionTop)],
    ink,
  });
}

function planTask(run: Run, task: TaskAnalysis, layout: Layout): TaskDrawing {
  const name = run.tasks.length > 1 ? task.title : '';
  const lines = pictureLines(run, task, layout);
  const panels = panelsWithFigures(task, lines);
  const panelHeight = HEADING_HEIGHT + lines.length * layout.rowHeight + AXIS_HEIGHT;
  const panelsHeight = layout.isStacked ? panels.length * panelHeight : panelHeight;
  return { name, lines, panels, height: nameHeight(name) + panelsHeight + TASK_GAP };
}

function nameHeight(name: string): number {
  return name === '' ? 0 : HEADING_HEIGHT;
}

/**
 * Returns one axis for all panels of a quantity. If one is logarithmic, all are: a linear axis
 * beside it would be read like it.
 */
function sharedAxes(drawings: readonly TaskDrawing[]): SharedAxes {
  const all = drawings.flatMap(({ panels, lines }) =>
    panels.map((panel) => ({ quantity: panel.quantity, ...axisValuesOf(panel, lines) })),
  );
  const grouped = [...Map.groupBy(all, ({ quantity }) => quantity)].map(([quantity, group]) => ({
    quantity,
    values: group.flatMap(({ values }) => values),
    sizes: group.flatMap(({ sizes }) => sizes),
  }));
  const isLogarithmic = grouped.some(needsLogarithm);
  return new Map(
    grouped.map(({ quantity, ...values }) => [quantity, { ...values, isLogarithmic }]),
  );
}

/** Returns a task with its name, its titles and its panels. */
function drawTask(drawing: TaskDrawing, axes: SharedAxes, layout: Layout): Markup {
  const { name, lines } = drawing;
  const top = nameHeight(name) + HEADING_HEIGHT;
  const heading = name && drawHeading(0, BASELINE_OFFSET, name);
  const titles = isTitleAbove(layout) ? [] : drawTitles(lines, top, layout);
  const panels = drawPanels(drawing, axes, layout, top);
  return html`${heading}${titles}${panels}`;
}

function drawPanels(
  { panels, lines }: TaskDrawing,
  axes: SharedAxes,
  layout: Layout,
  firstTop: number,
): Markup[] {
  const room = layout.width - layout.titlesWidth;
  const width = layout.isStacked ? room : room / panels.length;
  const panelHeight = HEADING_HEIGHT + lines.length * layout.rowHeight + AXIS_HEIGHT;
  return panels.map((panel, index) => {
    const shared = axes.get(panel.quantity) as SharedAxis;
    const place = layout.isStacked
      ? { layout, top: firstTop + index * panelHeight, left: 0, width }
      : { layout, top: firstTop, left: layout.titlesWidth + index * width, width };
    return drawPanel(panel, lines, shared, place);
  });
}

function captionHeight(caption: readonly string[]): number {
  return caption.length === 0 ? 0 : caption.length * CAPTION_LINE_HEIGHT + CAPTION_PADDING;
}

function drawCaption(caption: readonly string[], top: number): Markup[] {
  return caption.map((line, index) =>
    drawText(0, top + BASELINE_OFFSET + index * CAPTION_LINE_HEIGHT, 'start', line),
  );
}

/** Returns all that is drawn of a task in words, for those who don't see the picture. */
function labelOf({ name, lines, panels }: TaskDrawing): string {
  const figures = panels.flatMap((panel) =>
    lines.map(({ row }) => `${row.title} ${figureInWords(row, panel)}.`),
  );
  const panelNames = panels.map((panel) => panel.name);
  const names = name ? [name, ...panelNames] : panelNames;
  return `${names.join(', ')}: ${figures.join(' ')}`;
}
