import { html } from 'hono/html';
import { holdsZero } from '../../analysis/interval.ts';
import type { Quantity } from '../../analysis/quantities.ts';
import type { Row, TaskAnalysis } from '../../analysis/rows.ts';
import { asNumber } from '../../words/units.ts';
import { intervalText, MS, type Scale, US } from '../cells.ts';
import { isNotHeld } from '../rate-tables.ts';
import { type Axis, type AxisValues, axisFor } from './axis.ts';
import {
  BASELINE_OFFSET,
  FIGURES_PADDING,
  FIGURES_WIDTH,
  isTitleAbove,
  type Layout,
  PANEL_PADDING,
  ROW_BASELINE_OFFSET,
  TITLE_ABOVE_OFFSET,
  TITLES_GAP,
} from './layout.ts';
import { type PictureLine, titleOf } from './lines.ts';
import { drawHeading, drawMark, drawPairDot, drawText, MARK_COLOR, type Markup } from './shapes.ts';

/** One quantity of all rows of a task, drawn beside or below the others. */
export interface Panel {
  quantity: Quantity;
  scale: Scale;
  name: string;
}

/** Where a panel lies in its task, in px, and how the picture is laid out. */
export interface PanelPlace {
  layout: Layout;
  /** The upper edge of the first line. */
  top: number;
  left: number;
  width: number;
}

/** What all panels of one quantity share, so that their marks can be compared. */
export interface SharedAxis extends AxisValues {
  isLogarithmic: boolean;
}

/** It has as much contrast as the colour of a mark. */
const NO_EFFECT_COLOR = '#7d848c';
/** The line at zero is darker than those of the other ticks. */
const ZERO_OPACITY = 0.6;
const TICK_OPACITY = 0.15;

/** Returns the panels for which at least one row has a figure. */
export function panelsWithFigures(task: TaskAnalysis, lines: PictureLine[]): Panel[] {
  return panelsOf(task).filter(({ quantity }) => lines.some(({ row }) => row.change[quantity]));
}

function panelsOf({ baseline, rate }: TaskAnalysis): Panel[] {
  const { latencyUs = null, p99Us = null, cpuUs = null } = baseline.figures ?? {};
  return [
    rate === null
      ? { quantity: 'latencyUs', scale: MS, name: panelName('Latency', MS, latencyUs) }
      : { quantity: 'p99Us', scale: MS, name: panelName(`p99 at ${rate}/s`, MS, p99Us) },
    { quantity: 'cpuUs', scale: US, name: panelName('CPU per request', US, cpuUs) },
  ];
}

/** Returns what is drawn, and what it is added to: `CPU per request, µs above 9.67`. */
function panelName(subject: string, { unit, size }: Scale, baseline: number | null): string {
  // It is short, so that it fits above its panel also with ` (log)`.
  const over = baseline === null ? 'more' : `above ${asNumber(baseline / size)}`;
  return `${subject}, ${unit} ${over}`;
}

/** Returns what lies on the axis of a panel, in the panel's unit. */
export function axisValuesOf({ quantity, scale }: Panel, lines: PictureLine[]): AxisValues {
  const changes = lines.flatMap(({ row }) => row.change[quantity] ?? []);
  const values = changes.flatMap(({ differences, low, high }) => [...differences, low, high]);
  const significant = changes.filter((change) => !holdsZero(change));
  return {
    values: values.filter(Number.isFinite).map((value) => value / scale.size),
    sizes: significant.map(({ value }) => Math.abs(value) / scale.size),
  };
}

/** Returns a panel with its heading, its axis, and the marks and figures of all lines. */
export function drawPanel(
  panel: Panel,
  lines: PictureLine[],
  shared: SharedAxis,
  place: PanelPlace,
): Markup {
  const { layout, top, left, width } = place;
  const figuresWidth = isTitleAbove(layout) ? PANEL_PADDING : FIGURES_WIDTH;
  const axis = axisFor(shared, shared.isLogarithmic, [
    left + PANEL_PADDING,
    left + width - figuresWidth,
  ]);
  const headingLeft = isTitleAbove(layout) ? left : left + PANEL_PADDING;
  const name = panel.name + (axis.isLogarithmic ? ' (log)' : '');
  const heading = drawHeading(headingLeft, top - PANEL_PADDING, name);
  const marks = lines.map((line) => drawLine(panel, line, axis, place));
  const bottom = top + lines.length * layout.rowHeight;
  return html`${heading}${drawAxis(axis, top, bottom)}${marks}`;
}

function drawAxis({ ticks, place }: Axis, top: number, bottom: number): Markup[] {
  return ticks.map((tick) => {
    const x = place(tick).toFixed(1);
    const opacity = tick === 0 ? ZERO_OPACITY : TICK_OPACITY;
    const line = html`<path d="M${x} ${top}V${bottom}" stroke="currentColor" opacity="${opacity}"/>`;
    return html`${line}${drawText(x, bottom + BASELINE_OFFSET, 'middle', tick)}\n`;
  });
}

function drawLine(
  panel: Panel,
  line: PictureLine,
  axis: Axis,
  { layout, top, left, width }: PanelPlace,
): Markup {
  const { row, warnings } = line;
  const y = top + line.y;
  const change = row.change[panel.quantity];
  const color = change && !holdsZero(change) ? MARK_COLOR : NO_EFFECT_COLOR;
  const isHollow = warnings.some(({ kind }) => kind === 'dropped-spans');
  const place = (value: number) => axis.place(value / panel.scale.size);
  const dots = change?.differences.map((each) => drawPairDot(place(each), y, color)) ?? [];
  const whisker = change && {
    low: place(change.low),
    value: place(change.value),
    high: place(change.high),
  };
  const isAbove = isTitleAbove(layout);
  const textY = isAbove ? y - TITLE_ABOVE_OFFSET : y + ROW_BASELINE_OFFSET;
  const titleWidth = width - FIGURES_WIDTH - 2 * TITLES_GAP;
  const title = isAbove && drawText(left, textY, 'start', titleOf(line, titleWidth));
  const figure = drawText(left + width - FIGURES_PADDING, textY, 'end', shortFigure(row, panel));
  // A browser shows this where the pointer rests on the line.
  return html`<g><title>${row.title}: ${figureInWords(row, panel)}</title>${dots}
${whisker && drawMark(whisker, y, color, isHollow)}
${title}${figure}</g>\n`;
}

/** Returns the titles at the left of the panels. */
export function drawTitles(lines: PictureLine[], top: number, { titlesWidth }: Layout): Markup[] {
  return lines.map((line) => {
    const y = top + line.y + ROW_BASELINE_OFFSET;
    return html`${drawText(0, y, 'start', titleOf(line, titlesWidth - TITLES_GAP))}\n`;
  });
}

/** Returns the figure of a row in words, for those who don't see the picture. */
export function figureInWords({ change, faults }: Row, { quantity, scale }: Panel): string {
  const measured = change[quantity];
  if (measured) return intervalText(scale, measured);
  if (isNotHeld({ faults })) return 'not held';
  return faults.length > 0 ? 'invalid' : 'not measured';
}

/** Returns the figure without what stands in brackets. */
function shortFigure(row: Row, panel: Panel): string {
  return figureInWords(row, panel).replace(/ ?\(.*/, '');
}
