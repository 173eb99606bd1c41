import { html } from 'hono/html';
import { chunk } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import type { Curve } from '../analysis/curves.ts';
import { holdsZero, scaled } from '../analysis/estimate.ts';
import type { Figures, Quantity } from '../analysis/figures.ts';
import { type Row, rowsOf, type TaskAnalysis } from '../analysis/rows.ts';
import { counted, printable } from '../words/text.ts';
import { asMs } from '../words/units.ts';
import { CHANGE_UNITS, intervalText } from './cells.ts';
import { COSTS } from './form.ts';
import { type Drawing, drawing, EFFECT, type Markup, NO_EFFECT, shortened, WIDTH } from './plot.ts';

/** In px. */
const GAP = 40;
const ROW_HEIGHT = 46;
/** Above and below the rows. */
const MARGIN = { top: 4, bottom: 24 };
/** The dots of a row begin and end here; its figure stands at their right, its title above them. */
const FROM = 8;
const TO = 196;

/** Main text of GitHub, light and dark. */
const INK = { light: '#1f2328', dark: '#e6edf3' };

const COLOR = { field: 'color', type: 'nominal', scale: null };
const POINT = { type: 'point', filled: true };
/** Of an interval. Vega leaves out what has no end, or none that is finite. */
const RULE = { type: 'rule', strokeWidth: 3 };

const COST_AXIS = { type: 'quantitative', title: null, axis: { tickCount: 3 } };
const text = (field: string, at: number, align: 'left' | 'right', dy: number) => ({
  mark: { type: 'text', align, baseline: 'middle', dy, fontSize: 12, color: 'currentColor' },
  encoding: { x: { value: at - FROM }, text: { field } },
});
/** A line at zero; for each row its interval over faint dots for its pairs, its name and its figure. */
const LAYERS = [
  {
    mark: { type: 'tick', orient: 'vertical', size: 26, thickness: 1, yOffset: 3, color: 'currentColor' },
    encoding: { x: { ...COST_AXIS, datum: 0 } },
  },
  {
    transform: [{ flatten: ['differences'] }],
    mark: { ...POINT, size: 30, opacity: 0.5, yOffset: 8 },
    encoding: { x: { ...COST_AXIS, field: 'differences' }, color: COLOR },
  },
  { mark: RULE, encoding: { x: { ...COST_AXIS, field: 'low' }, x2: { field: 'high' }, color: COLOR } },
  { mark: { ...POINT, size: 60, opacity: 1 }, encoding: { x: { ...COST_AXIS, field: 'value' }, color: COLOR } },
  text('title', 0, 'left', -18),
  text('text', WIDTH, 'right', 0),
];

/** All drawings on a transparent background for a light or a dark page. */
export async function picture(run: Run, scheme: 'light' | 'dark'): Promise<string> {
  const lines = await drawingsOf(run);
  let height = 0;
  const content = lines.flatMap((line) => {
    const top = height;
    height += line[0]?.height ?? 0;
    return line.map(({ content }, at) => html`<g transform="translate(${at * (WIDTH + GAP)},${top})">${content}</g>\n`);
  });
  const label = lines.flatMap((line) => line.map((drawing) => drawing.label)).join(' ');
  return printable(String(asSvg({ label, height, content }, 2 * WIDTH + GAP, INK[scheme])));
}

/** As an element that is one labelled image, if not told otherwise in the colour of the text around it. */
export function asSvg({ label, height, content }: Drawing, width = WIDTH, color = 'currentColor'): Markup {
  return html`<svg color="${color}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}</svg>`;
}

/** Lines of at most two: the curves of a sweep; else for each task one of each quantity, and percentiles at a steady rate. */
export async function drawingsOf({ tasks, curves }: Run): Promise<Drawing[][]> {
  if (curves.length > 0) return inTwos(curves.map(curveDrawing));
  const ofTasks = tasks.map((task) => {
    const headings = {
      latencyUs: `Change per request at ${counted(task.connections, 'connection')}, ms`,
      cpuUs: 'Change of server CPU per request, µs',
    };
    const rows = rowsOf(task);
    const title = tasks.length > 1 ? [shortened(task.title)] : [];
    const isClosed = task.rate === null;
    const measured = COSTS.filter((cost) => (isClosed || cost === 'cpuUs') && rows.some(({ change }) => change[cost]));
    const costs = measured.map((quantity) => drawn(rows, quantity, [...title, headings[quantity]]));
    const percentiles = isClosed ? [] : task.rows.flatMap((row) => percentileDrawings(task, row));
    return [inTwos(costs), inTwos(percentiles)];
  });
  return (await Promise.all(ofTasks.flat())).flat();
}

async function inTwos(drawings: Promise<Drawing>[]): Promise<Drawing[][]> {
  return chunk(await Promise.all(drawings), 2);
}

/** The rows under the lines of their heading, in the unit that is printed. */
function drawn(rows: Row[], quantity: Quantity, heading: string[]): Promise<Drawing> {
  const { factor } = CHANGE_UNITS[quantity];
  const values = rows.map((row, y) => {
    const { estimate, differences } = row.change[quantity] ?? { estimate: null, differences: [] };
    return {
      y,
      title: shortened(row.title),
      text: figureOf(row, quantity),
      color: estimate && !holdsZero(estimate) ? EFFECT : NO_EFFECT,
      differences: differences.map((difference) => difference * factor),
      ...(estimate && scaled(estimate, factor)),
    };
  });
  const scale = { domain: [rows.length - 0.5, -0.5], nice: false, zero: false };
  return drawing(heading, rows.map((row) => `${row.title} ${figureOf(row, quantity)}.`).join(' '), {
    height: rows.length * ROW_HEIGHT,
    padding: { left: FROM, right: WIDTH - TO, ...MARGIN },
    data: { values },
    encoding: { y: { field: 'y', type: 'quantitative', axis: null, scale } },
    layer: LAYERS,
  });
}

function figureOf({ change, faults }: Row, quantity: Quantity): string {
  const measured = change[quantity];
  if (!measured) return faults.length > 0 ? 'invalid' : 'not measured';
  return intervalText(quantity, measured.estimate, true);
}

/** What a scenario costs at each value: means with their intervals over faint dots for pairs, and the line through them. */
function curveDrawing({ title, quantity, parameter, points, fixed, slope }: Curve): Promise<Drawing> {
  const { unit, factor } = CHANGE_UNITS[quantity];
  const mark = (x: number, y: number) => ({ x, y: y * factor, color: EFFECT });
  const marks = points.map(({ value, estimate }) => ({ ...mark(value, estimate.value), ...scaled(estimate, factor) }));
  const line = points.map(({ value }) => mark(value, fixed.value + slope.value * value));
  const dots = points.flatMap(({ value, differences }) => differences.map((each) => mark(value, each)));
  const label = points.map((each) => `${parameter}=${each.value} ${intervalText(quantity, each.estimate)}.`).join(' ');
  const heading = quantity === 'cpuUs' ? `Change of server CPU per request, ${unit}` : `Change per request, ${unit}`;
  return chart([shortened(title), heading], label, { marks, line, dots }, { type: 'quantitative', title: parameter });
}

/** Latency of both servers at a steady rate, by percentile: the baseline's grey. Empty if the load tool told none. */
function percentileDrawings({ baseline, rate }: TaskAnalysis, row: Row): Promise<Drawing>[] {
  const of = (figures: Figures | null, color: string) => {
    const { p50, p90, p99, p999 } = { ...figures?.latencyUs };
    const all = Object.entries({ p50, p90, p99, 'p99.9': p999 });
    return all.flatMap(([x, timeUs]) => (timeUs ? [{ x, y: timeUs / 1e3, color }] : []));
  };
  const own = of(row.figures, EFFECT);
  if (own.length === 0) return [];
  const marks = [...of(baseline.figures, NO_EFFECT), ...own];
  const nameOf = (color: string) => (color === EFFECT ? row.title : baseline.title);
  const label = marks.map(({ x, y, color }) => `${x} ${nameOf(color)} ${asMs(y * 1e3)}.`).join(' ');
  const heading = [shortened(row.title), `Latency at ${rate} requests/s, ms; baseline grey`];
  const x = { type: 'ordinal', title: null, sort: null, axis: { labelAngle: 0 } };
  return [chart(heading, label, { marks, line: marks, dots: [] }, x, { type: 'log', nice: true })];
}

/** Marks have their places as `x` and `y`, a color, and the ends of their interval as `low` and `high` if they have one. */
function chart(
  heading: string[],
  label: string,
  { marks, line, dots }: Record<'marks' | 'line' | 'dots', object[]>,
  x: object,
  scale: object = {},
): Promise<Drawing> {
  const y = { field: 'y', type: 'quantitative', title: null, scale, axis: { tickCount: 4 } };
  const ends = { y: { ...y, field: 'low' }, y2: { field: 'high' } };
  return drawing(heading, label, {
    height: 180,
    padding: { left: 44, right: 12, top: 8, bottom: 42 },
    encoding: { x: { field: 'x', ...x }, y, color: COLOR },
    layer: [
      { data: { values: line }, mark: { type: 'line', strokeWidth: 1.5, opacity: 0.8 } },
      { data: { values: dots }, mark: { ...POINT, size: 30, opacity: 0.4 } },
      { data: { values: marks }, mark: RULE, encoding: ends },
      { data: { values: marks }, mark: { ...POINT, size: 60, opacity: 1 } },
    ],
  });
}
