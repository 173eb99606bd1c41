import type { Curve } from '../analysis/curves.ts';
import { scaled } from '../analysis/estimate.ts';
import type { Figures } from '../analysis/figures.ts';
import type { Row, TaskAnalysis } from '../analysis/task.ts';
import { asMs, CHANGE_UNITS, intervalCell } from '../analysis/units.ts';
import { type Drawing, drawing, EFFECT, NO_EFFECT, shortened } from './plot.ts';

/** Something at a place, with the ends of its interval if it has one. */
interface Mark {
  x: number | string;
  y: number;
  color: string;
  low?: number;
  high?: number;
}

/** What a scenario costs at each value: means with their intervals over faint dots for pairs, and the line through them. */
export function curveDrawing({ title, quantity, parameter, points, fixed, slope }: Curve): Promise<Drawing> {
  const { unit, factor } = CHANGE_UNITS[quantity];
  const mark = (x: number, y: number): Mark => ({ x, y: y * factor, color: EFFECT });
  const marks = points.map(({ value, estimate }) => ({ ...mark(value, estimate.value), ...scaled(estimate, factor) }));
  const line = points.map(({ value }) => mark(value, fixed.value + slope.value * value));
  const dots = points.flatMap(({ value, differences }) => differences.map((each) => mark(value, each)));
  const label = points.map((each) => `${parameter}=${each.value} ${intervalCell(quantity, each.estimate)}.`).join(' ');
  const heading = quantity === 'cpuUs' ? `Change of server CPU per request, ${unit}` : `Change per request, ${unit}`;
  return chart([shortened(title), heading], label, { marks, line, dots }, { type: 'quantitative', title: parameter });
}

/** Latency of both servers at a steady rate, by percentile: the baseline's grey. Empty if the load tool told none. */
export function percentileDrawings({ baseline, rate }: TaskAnalysis, row: Row): Promise<Drawing>[] {
  const of = (figures: Figures | null, color: string): Mark[] => {
    const { p50, p90, p99, p999 } = { ...figures?.latencyUs };
    const all = Object.entries({ p50, p90, p99, 'p99.9': p999 });
    return all.flatMap(([x, timeUs]) => (timeUs ? [{ x, y: timeUs / 1e3, color }] : []));
  };
  const own = of(row.figures, EFFECT);
  if (own.length === 0) return [];
  const marks = [...of(baseline.figures, NO_EFFECT), ...own];
  const label = marks.map(
    ({ x, y, color }) => `${x} ${color === EFFECT ? row.title : baseline.title} ${asMs(y * 1e3)}.`,
  );
  const heading = [shortened(row.title), `Latency at ${rate} requests/s, ms; baseline grey`];
  const x = { type: 'ordinal', title: null, sort: null, axis: { labelAngle: 0 } };
  return [chart(heading, label.join(' '), { marks, line: marks, dots: [] }, x, { type: 'log', nice: true })];
}

function chart(
  heading: string[],
  label: string,
  { marks, line, dots }: Record<'marks' | 'line' | 'dots', Mark[]>,
  x: object,
  scale: object = {},
): Promise<Drawing> {
  const places = {
    x: { field: 'x', ...x },
    y: { field: 'y', type: 'quantitative', title: null, scale, axis: { tickCount: 4 } },
    color: { field: 'color', type: 'nominal', scale: null },
  };
  const layer = (values: Mark[], mark: object, encoding: object = {}) => ({
    data: { values },
    mark,
    encoding: { ...places, ...encoding },
  });
  const layers = [
    layer(line, { type: 'line', strokeWidth: 1.5, opacity: 0.8 }),
    layer(dots, { type: 'point', filled: true, size: 30, opacity: 0.4 }),
    // Vega leaves out what has no end, or none that is finite.
    layer(marks, { type: 'rule', strokeWidth: 3 }, { y: { ...places.y, field: 'low' }, y2: { field: 'high' } }),
    layer(marks, { type: 'point', filled: true, size: 60, opacity: 1 }),
  ];
  return drawing(heading, label, { height: 180, padding: { left: 44, right: 12, top: 8, bottom: 42 }, layer: layers });
}
