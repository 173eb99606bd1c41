import { scaleLog } from 'd3-scale';
import { html } from 'hono/html';
import { extent } from 'simple-statistics';
import type { Run } from '../../analysis/analysis.ts';
import { type Baseline, serversOf, type TaskAnalysis } from '../../analysis/rows.ts';
import { asMs } from '../../words/units.ts';
import { spacedTicks } from './axis.ts';
import {
  AXIS_HEIGHT,
  BASELINE_OFFSET,
  HEADING_HEIGHT,
  isTitleAbove,
  type Layout,
  MARK_BOTTOM,
  ROW_BASELINE_OFFSET,
  TITLE_ABOVE_OFFSET,
} from './layout.ts';
import { shorten } from './lines.ts';
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

/*
 * How long answers took: percentiles of each server, of which a mean tells nothing.
 */

const FIGURES_WIDTH = 176;
/** Numbers at the axis are at least so far apart, in px. */
const MIN_NUMBER_DISTANCE_PX = 30;
const TICK_OPACITY = 0.15;

/** Percentiles of one server. */
interface Distribution {
  title: string;
  p50Us: number;
  p90Us: number;
  p99Us: number;
}

/** Returns an SVG with percentiles of latency of each server; undefined if nobody measured them. */
export function latencyPicture(run: Run, layout: Layout): string | undefined {
  const tasks = run.tasks
    .map((task) => ({ task, servers: distributionsOf(task) }))
    .filter(({ servers }) => servers.length > 0);
  if (tasks.length === 0) return undefined;
  const all = tasks
    .flatMap(({ servers }) => servers)
    .flatMap(({ p50Us, p99Us }) => [p50Us / 1e3, p99Us / 1e3]);
  const place = scaleLog()
    .domain(extent(all))
    .range([layout.titlesWidth + 8, layout.width - (isTitleAbove(layout) ? 8 : FIGURES_WIDTH)]);
  const parts = tasks.map(({ task, servers }) => {
    const name = run.tasks.length > 1 ? `${task.title}: latency, ms (log)` : 'Latency, ms (log)';
    return {
      content: drawTask(name, servers, place, layout),
      height: HEADING_HEIGHT + servers.length * layout.rowHeight + AXIS_HEIGHT,
    };
  });
  return drawSvg({
    label: 'Percentiles of latency of each server',
    width: layout.width,
    height: heightOf(parts),
    content: stackParts(parts),
  });
}

function distributionsOf(task: TaskAnalysis): Distribution[] {
  return serversOf(task).flatMap((server) => distributionOf(server) ?? []);
}

function distributionOf({ title, figures }: Baseline): Distribution | null {
  const { p50Us = null, p90Us = null, p99Us = null } = figures ?? {};
  if (p50Us === null || p90Us === null || p99Us === null) return null;
  return { title, p50Us, p90Us, p99Us };
}

/** What a scale of d3 does. */
interface Place {
  (ms: number): number;
  ticks: (count?: number) => number[];
}

function drawTask(
  name: string,
  servers: readonly Distribution[],
  place: Place,
  layout: Layout,
): Markup {
  const { rowHeight } = layout;
  const bottom = HEADING_HEIGHT + servers.length * rowHeight;
  const markBottom = isTitleAbove(layout) ? MARK_BOTTOM : rowHeight / 2;
  const heading = drawHeading(0, BASELINE_OFFSET, name);
  const grid = place.ticks(4).map((tick) => {
    const x = place(tick).toFixed(1);
    const line = `M${x} ${HEADING_HEIGHT}V${bottom}`;
    return html`<path d="${line}" stroke="currentColor" opacity="${TICK_OPACITY}"/>`;
  });
  const numbers = numbersOf(place).map((tick) =>
    drawText(place(tick), bottom + BASELINE_OFFSET, 'middle', tick),
  );
  const rows = servers.map((server, index) =>
    drawServer(server, place, layout, HEADING_HEIGHT + (index + 1) * rowHeight - markBottom),
  );
  return html`${heading}${grid}${numbers}${rows}`;
}

/** Returns the ticks that have a number: those whose numbers don't touch. */
function numbersOf(place: Place): number[] {
  return spacedTicks(
    place.ticks(4),
    (last, tick) => place(tick) - place(last) > MIN_NUMBER_DISTANCE_PX,
  );
}

function drawServer(
  { title, ...percentiles }: Distribution,
  place: Place,
  layout: Layout,
  y: number,
): Markup {
  const { p50Us, p90Us, p99Us } = percentiles;
  const line = `M${place(p50Us / 1e3).toFixed(1)} ${y}H${place(p99Us / 1e3).toFixed(1)}`;
  const dots = [p50Us, p90Us, p99Us].map((us) => drawDot(place(us / 1e3), y, MARK_COLOR, 3));
  const figures = `p50 ${asMs(p50Us)}, p99 ${asMs(p99Us)}`;
  const textY = isTitleAbove(layout) ? y - TITLE_ABOVE_OFFSET : y + ROW_BASELINE_OFFSET;
  const titleWidth = isTitleAbove(layout) ? layout.width - FIGURES_WIDTH : layout.titlesWidth;
  return html`<g><title>${title}: half within ${asMs(p50Us)}, nine of ten within ${asMs(p90Us)}, 99 of 100 within ${asMs(p99Us)}</title>
${drawText(0, textY, 'start', shorten(title, titleWidth))}
<path d="${line}" stroke="${MARK_COLOR}" opacity="0.5" stroke-width="2"/>${dots}
${drawText(layout.width, textY, 'end', figures)}</g>\n`;
}
