import { scaleLinear, scaleLog } from 'd3-scale';
import { html } from 'hono/html';
import { max, min } from 'simple-statistics';
import {
  type History,
  type HistoryLine,
  type HistoryPoint,
  hasInterval,
} from '../../analysis/history.ts';
import { intervalText, multipleIntervalText, PERCENT } from '../cells.ts';
import { dateOf, runLabels, shortCommitOf } from '../history/labels.ts';
import { BASELINE_OFFSET, HEADING_HEIGHT, type Layout } from './layout.ts';
import { shorten } from './lines.ts';
import {
  drawDot,
  drawHeading,
  drawSvg,
  drawText,
  drawUprightWhisker,
  MARK_COLOR,
  type Markup,
} from './shapes.ts';
import {
  drawGridLine,
  GRID_OPACITY,
  MIN_NUMBER_DISTANCE_PX,
  NUMBERS_WIDTH,
  STRIP_GAP,
  titleHeight,
} from './strips.ts';

/*
 * What became of each row from one result to the next: a panel for each, all of one scale.
 */

/** The room for numbers of marks above a panel. */
const MARKS_HEIGHT = 16;
const PANEL_HEIGHT = 60;
/** Below the last panel: a line with dates, and one with commits. */
const DATES_HEIGHT = 40;
/** From the first line of the labels below to the second. */
const LINE_HEIGHT = 15;
/** Between the edges of a panel and its first and last result: half a date. */
const EDGE_PX = 36;
/** Dates are at least so far apart. */
const MIN_DATE_DISTANCE_PX = 80;
/** Numbers of marks are at least so far apart. */
const MIN_MARK_DISTANCE_PX = 18;
/** Panels show at least so much of a change: what is smaller is to look small. */
const MIN_RATIO = 1.1;
const PANEL_PADDING = 5;
/** The room for what became of a row, beside its title. */
const CHANGE_WIDTH = 165;
/** Half the width of what is drawn of a result is at most this part of the distance to the next. */
const MARK_SHARE = 0.3;
const DOT_RADIUS = 2.5;
const TICK_COUNTS = [4, 3, 2, 1];

/** What all panels share. */
interface Frame {
  history: History;
  /** A name for each result. */
  names: string[];
  layout: Layout;
  left: number;
  right: number;
  /** The highest value of a panel, divided by its lowest. */
  ratio: number;
}

/** The places of multiples in a panel. */
type PanelScale = ReturnType<typeof panelScale>;

/** Returns an SVG with a panel for each row; undefined if no result knows what a row takes. */
export function historyPicture(history: History, layout: Layout): string | undefined {
  const { lines, runs } = history;
  if (lines.length === 0) return undefined;
  const frame: Frame = {
    history,
    names: runLabels(runs),
    layout,
    left: layout.titlesWidth + NUMBERS_WIDTH,
    right: layout.width,
    ratio: max([MIN_RATIO, ...lines.map(ratioOf)]),
  };
  const step = titleHeight(layout) + MARKS_HEIGHT + PANEL_HEIGHT + STRIP_GAP;
  const bottom = HEADING_HEIGHT + lines.length * step;
  const panels = lines.map((line, index) => {
    const top = HEADING_HEIGHT + index * step;
    return html`<g transform="translate(0,${top})">${drawPanel(line, frame)}</g>\n`;
  });
  return drawSvg({
    label: `Times the baseline's CPU: ${lines.map(lineInWords).join(' ')}`,
    width: layout.width,
    height: bottom + DATES_HEIGHT,
    content: [
      drawHeading(0, BASELINE_OFFSET, "Times the baseline's CPU (log)"),
      ...panels,
      ...drawDates(frame, bottom),
    ],
  });
}

/**
 * Returns the ends of a line in words, for those who don't see the picture; tables have the rest.
 */
function lineInWords({ label, points }: HistoryLine): string {
  const ends = [points[0], points.at(-1)].flatMap((point) => point?.multiple ?? []);
  return `${label} ${ends.map(multipleIntervalText).join(' to ')}.`;
}

/** Returns what a panel is to show: values, and the intervals that say something. */
function valuesOf({ points }: HistoryLine): number[] {
  const values = points.flatMap((point) => {
    const { value, low, high } = point.multiple;
    return hasInterval(point) ? [value, low, high] : [value];
  });
  return values.filter((value) => Number.isFinite(value) && value > 0);
}

function ratioOf(line: HistoryLine): number {
  const values = valuesOf(line);
  return values.length === 0 ? 1 : max(values) / min(values);
}

/** Each panel has its own middle, and the ratio of the widest. */
function panelScale(line: HistoryLine, { ratio }: Frame) {
  const values = valuesOf(line);
  const middle = values.length === 0 ? 1 : Math.sqrt(max(values) * min(values));
  return scaleLog()
    .domain([middle / Math.sqrt(ratio), middle * Math.sqrt(ratio)])
    .range([PANEL_HEIGHT - PANEL_PADDING, PANEL_PADDING])
    .clamp(true);
}

/** Returns the place of a result, in px from the left: between two of them for a fraction. */
function placeOf(at: number, { history, left, right }: Frame): number {
  const last = Math.max(1, history.runs.length - 1);
  return left + EDGE_PX + (at / last) * (right - left - 2 * EDGE_PX);
}

/** Returns how far apart results are, in px. */
function distanceOf(frame: Frame): number {
  return placeOf(1, frame) - placeOf(0, frame);
}

function drawPanel(line: HistoryLine, frame: Frame): Markup {
  const scale = panelScale(line, frame);
  const top = titleHeight(frame.layout) + MARKS_HEIGHT;
  const grid = ticksOf(scale).map((tick) =>
    drawGridLine(frame.left, frame.right, scale(tick), String(tick)),
  );
  const points = line.points.map((point) => drawPoint(line, point, scale, frame));
  return html`${drawTitle(line, frame)}${drawMarks(line, frame)}<g transform="translate(0,${top})">${grid}
${drawPath(line, scale, frame)}${points}</g>`;
}

/** Title and change stand at the left of a panel, or above it. */
function drawTitle(line: HistoryLine, { layout }: Frame): Markup {
  const { width, titlesWidth } = layout;
  const change = changeText(line);
  if (titleHeight(layout) > 0) {
    const title = drawText(0, BASELINE_OFFSET, 'start', shorten(line.label, width - CHANGE_WIDTH));
    return html`${title}${change && drawText(width, BASELINE_OFFSET, 'end', change)}`;
  }
  const y = MARKS_HEIGHT + PANEL_HEIGHT / 2;
  const title = drawText(0, y, 'start', shorten(line.label, titlesWidth));
  const below = change && drawText(0, y + LINE_HEIGHT, 'start', change);
  return html`${title}<g opacity="0.75">${below}</g>`;
}

/** Returns what the last result has, and how that differs from the first; empty if it lacks it. */
function changeText({ change }: HistoryLine): string {
  if (change.missing !== null) return '';
  const relative = intervalText(PERCENT, change.relative, 1).replace(/ ?\(.*/, '');
  return `${change.last.multiple.value.toFixed(2)} x, ${relative}`;
}

/** Returns as many round multiples as there is room for. */
function ticksOf(scale: PanelScale): number[] {
  const [low = 1, high = 1] = scale.domain();
  const candidates = TICK_COUNTS.map((count) =>
    scaleLinear()
      .domain([low, high])
      .ticks(count)
      .filter((tick) => tick > 0),
  );
  return candidates.find((ticks) => haveRoom(ticks, scale)) ?? [];
}

function haveRoom(ticks: readonly number[], scale: PanelScale): boolean {
  const places = ticks.map((tick) => scale(tick));
  const distances = places.slice(1).map((place, index) => (places[index] ?? place) - place);
  return ticks.length > 0 && distances.every((distance) => distance > MIN_NUMBER_DISTANCE_PX);
}

/** Returns the line through the points, with a gap where it breaks. */
function drawPath({ points }: HistoryLine, scale: PanelScale, frame: Frame): Markup {
  const path = points
    .map(({ at, multiple, isStart }) => {
      const place = `${placeOf(at, frame).toFixed(1)} ${scale(multiple.value).toFixed(1)}`;
      return `${isStart ? 'M' : 'L'}${place}`;
    })
    .join('');
  return html`<path d="${path}" stroke="${MARK_COLOR}" stroke-width="1.5" fill="none"/>\n`;
}

function drawPoint(
  { label }: HistoryLine,
  point: HistoryPoint,
  scale: PanelScale,
  frame: Frame,
): Markup {
  const { at, multiple } = point;
  const { value, low, high } = multiple;
  const x = placeOf(at, frame);
  const mostPx = MARK_SHARE * distanceOf(frame);
  const hasWhisker = hasInterval(point) && low > 0;
  const whisker =
    hasWhisker && drawUprightWhisker(x, { low: scale(low), high: scale(high) }, mostPx, MARK_COLOR);
  const dot = drawDot(x, scale(value), MARK_COLOR, Math.min(DOT_RADIUS, mostPx));
  // A browser shows this where the pointer rests on the point.
  const name = `${label}, ${frame.names[at]}: ${multipleIntervalText(multiple)}`;
  return html`<g><title>${name}</title>${whisker}${dot}</g>\n`;
}

/** Returns numbers above the panel, and dashed lines where its line breaks. */
function drawMarks(line: HistoryLine, frame: Frame): Markup[] {
  const top = titleHeight(frame.layout);
  let lastNumberX = Number.NEGATIVE_INFINITY;
  return frame.history.marks.flatMap(({ number, at, lines }) => {
    const isBroken = lines.get(line);
    if (isBroken === undefined) return [];
    const x = placeOf(at - 0.5, frame);
    const hasRoom = x - lastNumberX > MIN_MARK_DISTANCE_PX;
    if (hasRoom) lastNumberX = x;
    const dashes = isBroken && drawDashes(x, top + MARKS_HEIGHT);
    return html`${dashes}${hasRoom && drawText(x.toFixed(1), top + BASELINE_OFFSET - 2, 'middle', number)}`;
  });
}

function drawDashes(x: number, top: number): Markup {
  const line = `M${x.toFixed(1)} ${top}V${top + PANEL_HEIGHT}`;
  return html`<path d="${line}" stroke="currentColor" opacity="${3 * GRID_OPACITY}" stroke-dasharray="3 3"/>`;
}

/** Returns dates and commits of as many results as there is room for, the last one among them. */
function drawDates(frame: Frame, top: number): Markup[] {
  const { runs } = frame.history;
  const every = Math.max(1, Math.ceil(MIN_DATE_DISTANCE_PX / distanceOf(frame)));
  return runs.flatMap((run, at) => {
    if ((runs.length - 1 - at) % every !== 0) return [];
    const x = placeOf(at, frame).toFixed(1);
    const date = drawText(x, top + BASELINE_OFFSET, 'middle', dateOf(run));
    const commit = drawText(x, top + BASELINE_OFFSET + LINE_HEIGHT, 'middle', shortCommitOf(run));
    return html`${date}${commit}\n`;
  });
}
