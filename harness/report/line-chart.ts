import type { Curve } from '../analysis/curves.ts';
import { scaled } from '../analysis/estimate.ts';
import type { Figures } from '../analysis/figures.ts';
import type { Row, TaskAnalysis } from '../analysis/task.ts';
import { asMs, CHANGE_UNITS, intervalCell } from '../analysis/units.ts';
import { COLOR, type Drawing, drawing, EFFECT, NO_EFFECT, POINT, RULE, shortened } from './plot.ts';

/** What a scenario costs at each value: means with their intervals over faint dots for pairs, and the line through them. */
export function curveDrawing({ title, quantity, parameter, points, fixed, slope }: Curve): Promise<Drawing> {
  const { unit, factor } = CHANGE_UNITS[quantity];
  const mark = (x: number, y: number) => ({ x, y: y * factor, color: EFFECT });
  const marks = points.map(({ value, estimate }) => ({ ...mark(value, estimate.value), ...scaled(estimate, factor) }));
  const line = points.map(({ value }) => mark(value, fixed.value + slope.value * value));
  const dots = points.flatMap(({ value, differences }) => differences.map((each) => mark(value, each)));
  const label = points.map((each) => `${parameter}=${each.value} ${intervalCell(quantity, each.estimate)}.`).join(' ');
  const heading = quantity === 'cpuUs' ? `Change of server CPU per request, ${unit}` : `Change per request, ${unit}`;
  return chart([shortened(title), heading], label, { marks, line, dots }, { type: 'quantitative', title: parameter });
}

/** Latency of both servers at a steady rate, by percentile: the baseline's grey. Empty if the load tool told none. */
export function percentileDrawings({ baseline, rate }: TaskAnalysis, row: Row): Promise<Drawing>[] {
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
      // Vega leaves out what has no end, or none that is finite.
      { data: { values: marks }, mark: RULE, encoding: ends },
      { data: { values: marks }, mark: { ...POINT, size: 60, opacity: 1 } },
    ],
  });
}
