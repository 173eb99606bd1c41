import { scaleLog } from 'd3-scale';
import { html } from 'hono/html';
import { extent, max, median, min, sum } from 'simple-statistics';
import type { Run } from '../../analysis/analysis.ts';
import type { TaskAnalysis } from '../../analysis/rows.ts';
import { cpuUsOf, type TimelineKind, timelineOf } from '../../analysis/timeline.ts';
import type { Pair } from '../../result/schema.ts';
import { spacedTicks } from './axis.ts';
import { AXIS_HEIGHT, BASELINE_OFFSET, HEADING_HEIGHT, type Layout } from './layout.ts';
import { type PictureLine, pictureLines, titleOf } from './lines.ts';
import {
  drawDot,
  drawHeading,
  drawSvg,
  drawText,
  heightOf,
  MARK_COLOR,
  type Markup,
  stackParts,
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
 * What a request takes in one slice after another: a strip for each row, all of one scale.
 */

const STRIP_HEIGHT = 46;
/** So wide a stretch has room for its name. */
const MIN_STRETCH_WIDTH = 66;
/** The stretches of a strip, in the order of time. */
const KINDS = ['warm-up', 'alternating', 'cpu'] as const;
const KIND_NAMES = { 'warm-up': 'warm-up', alternating: 'alternating', cpu: 'CPU slices' };

/** A slice of one pair. */
interface TimelinePoint {
  kind: (typeof KINDS)[number];
  /** Counts slices of a kind from 0 on; of the warm-up backwards from -1, since its end is one. */
  place: number;
  /** CPU of a request of the scenario, as a multiple of what it takes of the baseline. */
  multiple: number;
}

/** The points of all pairs of a row. */
interface Strip {
  line: PictureLine;
  timelines: TimelinePoint[][];
}

/** Where a kind of slices begins and ends, in px. */
interface Stretch {
  name: string;
  left: number;
  right: number;
}

/** What all strips of a picture share. */
interface Scales {
  x: (point: TimelinePoint) => number;
  y: (multiple: number) => number;
  /** Multiples at which a strip has a line and a number. */
  ticks: number[];
  stretches: Stretch[];
}

/**
 * Returns an SVG with the timeline of each row, slice by slice; undefined if fewer than two slices
 * tell it.
 */
export function timelinePicture(run: Run, layout: Layout): string | undefined {
  const tasks = run.tasks
    .map((task) => ({ task, strips: stripsOf(run, task, layout) }))
    .filter(({ strips }) =>
      strips.some(({ timelines }) => timelines.some(({ length }) => length > 1)),
    );
  if (tasks.length === 0) return undefined;
  const timelines = tasks.flatMap(({ strips }) => strips).flatMap((strip) => strip.timelines);
  const scales = scalesOf(timelines, layout);
  const parts = tasks.map(({ task, strips }) => ({
    content: drawTask(run.tasks.length > 1 ? task.title : '', strips, scales, layout),
    height: HEADING_HEIGHT + strips.length * stripHeight(layout) + AXIS_HEIGHT,
  }));
  return drawSvg({
    label: "CPU of a request in one slice after another, as a multiple of the baseline's",
    width: layout.width,
    height: heightOf(parts),
    content: stackParts(parts),
  });
}

function stripHeight(layout: Layout): number {
  return STRIP_HEIGHT + STRIP_GAP + titleHeight(layout);
}

function stripsOf(run: Run, task: TaskAnalysis, layout: Layout): Strip[] {
  return pictureLines(run, task, layout)
    .map((line) => ({ line, timelines: line.row.pairs.map(pointsOf) }))
    .filter(({ timelines }) => timelines.length > 0);
}

/**
 * The stretch of each kind of slices; the second of each alone at the end of a warm-up has none.
 */
const STRETCH_KINDS: Record<TimelineKind, TimelinePoint['kind'] | null> = {
  'warm-up': 'warm-up',
  'warm-up-alone': null,
  alternating: 'alternating',
  duets: 'cpu',
  turns: 'cpu',
};

/** Returns the slices that tell what a request took of both servers. */
function pointsOf(pair: Pair): TimelinePoint[] {
  const points = timelineOf(pair).flatMap(({ kind: sliceKind, index, baseline, scenario }) => {
    const kind = STRETCH_KINDS[sliceKind];
    if (kind === null) return [];
    const place = kind === 'warm-up' ? index - pair.warmUp.length : index;
    return [{ kind, place, multiple: cpuUsOf(scenario) / cpuUsOf(baseline) }];
  });
  return points.filter(({ multiple }) => Number.isFinite(multiple) && multiple > 0);
}

function scalesOf(timelines: readonly TimelinePoint[][], layout: Layout): Scales {
  const points = timelines.flat();
  const stretches = stretchesOf(points, layout);
  const multiples = points.map(({ multiple }) => multiple);
  const y = scaleLog()
    .domain(extent([0.9, 1.1, ...multiples]))
    .range([STRIP_HEIGHT - 4, 4]);
  const byKind = new Map(KINDS.map((kind, index) => [kind, stretches[index]] as const));
  return {
    x: ({ kind, place }) => placeIn(byKind.get(kind), points, kind, place),
    y,
    ticks: ticksOf(y, max(multiples)),
    stretches: stretches.filter(({ left, right }) => right > left),
  };
}

/** Returns as many multiples as there is room for. */
function ticksOf(y: Scales['y'], highest: number): number[] {
  const others = [2, 5, 10, 20, 50, 100].filter((tick) => tick <= highest);
  return spacedTicks([1, ...others], (last, tick) => y(last) - y(tick) > MIN_NUMBER_DISTANCE_PX);
}

/** Returns one stretch for each kind; one without points has no width. */
function stretchesOf(points: readonly TimelinePoint[], { titlesWidth, width }: Layout): Stretch[] {
  const counts = KINDS.map((kind) => placesOf(points, kind).length);
  const kinds = counts.filter((count) => count > 0).length;
  const left = titlesWidth + NUMBERS_WIDTH;
  const spare = width - 8 - left - kinds * MIN_STRETCH_WIDTH;
  const total = sum(counts);
  const widths = counts.map((count) =>
    count === 0 ? 0 : MIN_STRETCH_WIDTH + (spare * count) / total,
  );
  return KINDS.map((kind, index) => {
    const start = left + sum(widths.slice(0, index));
    return { name: KIND_NAMES[kind], left: start, right: start + (widths[index] ?? 0) };
  });
}

function placesOf(points: readonly TimelinePoint[], kind: TimelinePoint['kind']): number[] {
  const places = points.filter((point) => point.kind === kind).map(({ place }) => place);
  if (places.length === 0) return [];
  const first = min(places);
  return Array.from({ length: max(places) - first + 1 }, (_, index) => first + index);
}

function placeIn(
  stretch: Stretch | undefined,
  points: readonly TimelinePoint[],
  kind: TimelinePoint['kind'],
  place: number,
): number {
  const places = placesOf(points, kind);
  const { left = 0, right = 0 } = stretch ?? {};
  const step = (right - left) / Math.max(1, places.length);
  return left + (place - (places[0] ?? place) + 0.5) * step;
}

/** `name`: empty if the run has one task. */
function drawTask(name: string, strips: readonly Strip[], scales: Scales, layout: Layout): Markup {
  const bottom = HEADING_HEIGHT + strips.length * stripHeight(layout);
  const heading = drawHeading(0, BASELINE_OFFSET, name || "Times the baseline's CPU (log)");
  const drawn = strips.map((strip, index) => {
    const top = HEADING_HEIGHT + index * stripHeight(layout);
    return html`<g transform="translate(0,${top})">${drawStrip(strip, scales, layout)}</g>`;
  });
  const names = scales.stretches.map(({ name, left, right }) =>
    drawText((left + right) / 2, bottom + BASELINE_OFFSET, 'middle', name),
  );
  return html`${heading}${drawn}${names}`;
}

function drawStrip(strip: Strip, scales: Scales, layout: Layout): Markup {
  const above = titleHeight(layout);
  const titleY = above > 0 ? BASELINE_OFFSET : STRIP_HEIGHT / 2;
  const titleWidth = above > 0 ? layout.width : layout.titlesWidth;
  const title = drawText(0, titleY, 'start', titleOf(strip.line, titleWidth));
  return html`${title}<g transform="translate(0,${above})">${drawTimelines(strip, scales)}</g>`;
}

function drawTimelines({ timelines }: Strip, { x, y, ticks, stretches }: Scales): Markup {
  const left = stretches[0]?.left ?? 0;
  const right = stretches.at(-1)?.right ?? 0;
  const grid = ticks.map((tick) => drawGridLine(left, right, y(tick), `${tick} x`));
  const borders = stretches.map((stretch) => {
    const path = `M${stretch.left.toFixed(1)} 0V${STRIP_HEIGHT}`;
    return html`<path d="${path}" stroke="currentColor" opacity="${GRID_OPACITY}"/>`;
  });
  const points = timelines.flat();
  const dots = points.map((point) => drawDot(x(point), y(point.multiple), MARK_COLOR));
  return html`${grid}${borders}${dots}${drawMedian(points, x, y)}`;
}

/** Returns a line through the medians of all pairs, slice by slice. */
function drawMedian(points: TimelinePoint[], x: Scales['x'], y: Scales['y']): Markup {
  const groups = [...Map.groupBy(points, (point) => x(point))].sort(
    ([one], [other]) => one - other,
  );
  const path = groups
    .map(([left, own], index) => {
      const middle = median(own.map(({ multiple }) => multiple));
      return `${index === 0 ? 'M' : 'L'}${left.toFixed(1)} ${y(middle).toFixed(1)}`;
    })
    .join('');
  return html`<path d="${path}" stroke="${MARK_COLOR}" stroke-width="1.5" fill="none"/>`;
}
