import { html } from 'hono/html';
import type { Quantity } from '../../analysis/figures.ts';
import { holdsZero } from '../../analysis/interval.ts';
import type { Row, TaskAnalysis } from '../../analysis/rows.ts';
import { counted } from '../../words/text.ts';
import { intervalText, MS, type Scale, US } from '../cells.ts';
import { type Axis, axisFor } from './axis.ts';
import {
  BASELINE_OFFSET,
  FIGURES_PADDING,
  FIGURES_WIDTH,
  PANEL_PADDING,
  ROW_BASELINE_OFFSET,
  ROW_HEIGHT,
} from './layout.ts';
import type { PictureLine } from './lines.ts';
import { drawHeading, drawMark, drawPairDot, drawText, type Markup } from './shapes.ts';

/** One quantity of all rows of a task, drawn beside the others. */
export interface Panel {
  quantity: Quantity;
  scale: Scale;
  name: string;
}

/** Where a panel lies in its task, in px. */
export interface PanelPlace {
  /** The upper edge of the first row. */
  top: number;
  left: number;
  width: number;
}

/** Mid-tones with more than 3:1 against white and GitHub's dark, also for colour-blind people. */
const EFFECT_COLOR = '#2f7fc1';
const NO_EFFECT_COLOR = '#7d848c';
/** The line at zero is darker than those of the other ticks. */
const ZERO_OPACITY = 0.6;
const TICK_OPACITY = 0.15;

/** Returns the panels for which at least one row has a figure. */
export function panelsWithFigures(task: TaskAnalysis, lines: PictureLine[]): Panel[] {
  return panelsOf(task).filter(({ quantity }) => lines.some(({ row }) => row.change[quantity]));
}

function panelsOf({ connections, rate }: TaskAnalysis): Panel[] {
  return [
    rate === null ? meanLatencyPanel(connections) : tailLatencyPanel(rate),
    {
      quantity: 'cpuUs',
      scale: US,
      name: 'Server CPU per request, µs',
    },
  ];
}

function meanLatencyPanel(connections: number): Panel {
  return {
    quantity: 'latencyUs',
    scale: MS,
    name: `Change at ${counted(connections, 'connection')}, ms`,
  };
}

function tailLatencyPanel(rate: number): Panel {
  return {
    quantity: 'p99Us',
    scale: MS,
    name: `Change of p99 at ${rate}/s, ms`,
  };
}

/** Returns a panel with its heading, its axis, and the marks and figures of all lines. */
export function drawPanel(panel: Panel, lines: PictureLine[], place: PanelPlace): Markup {
  const { top, left } = place;
  const axis = axisOfPanel(panel, lines, place);
  const name = panel.name + (axis.isLogarithmic ? ' (log)' : '');
  const heading = drawHeading(left + PANEL_PADDING, top - PANEL_PADDING, name);
  const figuresX = left + place.width - FIGURES_PADDING;
  const marks = lines.map((line) => drawLine(panel, line, axis, figuresX));
  return html`${heading}${drawAxis(axis, top, top + lines.length * ROW_HEIGHT)}${marks}`;
}

function axisOfPanel({ quantity, scale }: Panel, lines: PictureLine[], place: PanelPlace): Axis {
  const { left, width } = place;
  const changes = lines.flatMap(({ row }) => row.change[quantity] ?? []);
  const values = changes.flatMap(({ differences, low, high }) => [...differences, low, high]);
  const significant = changes.filter((change) => !holdsZero(change));
  return axisFor(
    values.filter(Number.isFinite).map((value) => value / scale.size),
    significant.map(({ value }) => Math.abs(value) / scale.size),
    [left + PANEL_PADDING, left + width - FIGURES_WIDTH],
  );
}

function drawAxis({ ticks, place }: Axis, top: number, bottom: number): Markup[] {
  return ticks.map((tick) => {
    const x = place(tick).toFixed(1);
    const opacity = tick === 0 ? ZERO_OPACITY : TICK_OPACITY;
    const line = html`<path d="M${x} ${top}V${bottom}" stroke="currentColor" opacity="${opacity}"/>`;
    return html`${line}${drawText(x, bottom + BASELINE_OFFSET, 'middle', tick)}\n`;
  });
}

function drawLine(panel: Panel, line: PictureLine, axis: Axis, figuresX: number): Markup {
  const { row, warnings, y } = line;
  const change = row.change[panel.quantity];
  const color = change && !holdsZero(change) ? EFFECT_COLOR : NO_EFFECT_COLOR;
  const isHollow = warnings.some(({ kind }) => kind === 'dropped-spans');
  const place = (value: number) => axis.place(value / panel.scale.size);
  const dots = change?.differences.map((each) => drawPairDot(place(each), y, color)) ?? [];
  const whisker = change && {
    low: place(change.low),
    value: place(change.value),
    high: place(change.high),
  };
  const figure = drawText(figuresX, y + ROW_BASELINE_OFFSET, 'end', shortFigure(row, panel));
  return html`${dots}
${whisker && drawMark(whisker, y, color, isHollow)}
${figure}\n`;
}

/** Returns the figure of a row in words, for those who don't see the picture. */
export function figureInWords({ change, faults }: Row, { quantity, scale }: Panel): string {
  const measured = change[quantity];
  if (measured) return intervalText(scale, measured);
  return faults.length > 0 ? 'invalid' : 'not measured';
}

/** Returns the figure without what stands in brackets. */
function shortFigure(row: Row, panel: Panel): string {
  return figureInWords(row, panel).replace(/ ?\(.*/, '');
}
