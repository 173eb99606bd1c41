import type { Config, TopLevelSpec } from 'vega-lite';

/** Drawn for a phone and scaled up from there: a text of 12 px is no smaller on a screen of 375 px. */
export const WIDTH = 340;
const INNER = WIDTH - 12;
const ROW_HEIGHT = 42;
/** Mid-tones: more than 3:1 against white and against near-black. */
const COLORS = ['#2f7fc1', '#c46a1b', '#a05fc9'];
const INK = 'currentColor';

const axis = { labelColor: INK, titleColor: INK, domainColor: INK, tickColor: INK, gridColor: INK };
const axisText = {
  labelFontSize: 11,
  titleFontSize: 12,
  titleFontWeight: 'normal',
  labelFlush: true,
} as const;
const config: Config = {
  font: 'system-ui, sans-serif',
  background: 'transparent',
  // The drawing has one label for all of it; one for each mark would make the file several times as large.
  aria: false,
  view: { stroke: null },
  axis: { ...axis, ...axisText, gridOpacity: 0.15, domainOpacity: 0.4 },
};

/** One scenario: dots below its label, for long titles need the width. */
export interface DotRow {
  label: string;
  /** The figure as text, at the right of the label. */
  text: string;
  dots: Dot[];
}

/** Low and high are null where there is no interval; several dots of a row are told apart by name. */
export interface Dot {
  name: string;
  value: number;
  low: number | null;
  high: number | null;
}

/** What the dots are to be seen against, and how far around it nothing can be told from it. */
export interface Reference {
  value: number;
  around: number;
}

/** Dots with their intervals, one row for each scenario, and a line to see them against. */
export function dotSpec(rows: DotRow[], unit: string, line?: Reference): TopLevelSpec {
  const dots = rows.flatMap((row, key) => row.dots.map((dot) => ({ ...dot, key })));
  const names = [...new Set(dots.map(({ name }) => name))];
  const scaleOf = (range: string[]) => ({ field: 'name', scale: { domain: names, range } }) as const;
  const title = null;
  const legend =
    names.length > 1 ? ({ orient: 'top', title, labelColor: INK, labelFontSize: 12 } as const) : null;
  return {
    ...{ width: INNER, height: rows.length * ROW_HEIGHT, autosize: 'none', config },
    padding: { left: 6, right: 6, top: legend ? 30 : 4, bottom: 40 },
    data: { values: dots },
    layer: [
      ...(line ? referenceLayers(rows.length, line) : []),
      {
        transform: [{ filter: 'datum.low !== null' }],
        mark: { type: 'rule', strokeWidth: 4, color: COLORS[0] as string, opacity: 0.65 },
        encoding: { y: rowOf, x: { ...across, field: 'low' }, x2: { field: 'high' } },
      },
      {
        mark: { type: 'point', filled: true, size: 65, opacity: 1 },
        encoding: {
          y: rowOf,
          x: { ...across, field: 'value', title: unit, scale: { zero: true } },
          color: { ...scaleOf(COLORS), legend },
          shape: { ...scaleOf(['circle', 'square', 'triangle-up']), legend },
        },
      },
      labelLayer(rows, 'label', 'left', 0),
      labelLayer(rows, 'text', 'right', INNER),
    ],
  } as TopLevelSpec;
}

const rowOf = { field: 'key', type: 'ordinal', axis: null, scale: { padding: 0 } } as const;
const across = { type: 'quantitative' } as const;

/** The line is drawn beside the dots alone: it must not run through the labels. */
function referenceLayers(rows: number, { value, around }: Reference) {
  const all = Array.from({ length: rows }, (_, key) => ({
    key,
    value,
    low: value - around,
    high: value + around,
  }));
  const data = { values: all };
  const mark = { type: 'tick', orient: 'vertical', size: 13, thickness: 1.5, color: INK } as const;
  return [
    {
      data,
      mark: { type: 'rule', strokeWidth: 13, color: INK, opacity: 0.15 },
      encoding: { y: rowOf, x: { ...across, field: 'low' }, x2: { field: 'high' } },
    },
    { data, mark, encoding: { y: rowOf, x: { ...across, field: 'value' } } },
  ] as const;
}

function labelLayer(rows: DotRow[], field: 'label' | 'text', align: 'left' | 'right', x: number) {
  return {
    data: { values: rows.map((row, key) => ({ text: row[field], key })) },
    mark: { type: 'text', align, dy: -15, fontSize: 12, color: INK },
    encoding: { y: rowOf, x: { value: x }, text: { field: 'text' } },
  } as const;
}

/** One measured value: in which panel, and where in the order of measuring. */
export interface Point {
  panel: string;
  order: number;
  value: number;
}

/** Raw values in the order of measuring. Each panel has a scale of its own, or noise is not seen. */
export function panelSpec(points: Point[], orderTitle: string): TopLevelSpec {
  const last = points.reduce((most, { order }) => Math.max(most, Math.round(order)), 1);
  const x = { title: orderTitle, axis: { format: 'd', tickMinStep: 1, tickCount: 6, grid: false } };
  const y = { title: null, axis: { tickCount: 3, labelFlush: false } };
  const label = { labelAnchor: 'start', labelFontSize: 12, labelLimit: 1_000, labelColor: INK } as const;
  return {
    ...{ padding: 4, config, data: { values: points }, spacing: 10 },
    facet: { row: { field: 'panel', sort: null, header: { ...label, title: null, labelOrient: 'top' } } },
    resolve: { scale: { y: 'independent' } },
    spec: {
      ...{ width: 278, height: 60 },
      mark: { type: 'point', filled: true, size: 22, color: COLORS[0] as string, opacity: 0.9 },
      encoding: {
        x: { ...across, field: 'order', ...x, scale: { domain: [0.5, last + 0.5], nice: false } },
        y: { ...across, field: 'value', ...y, scale: { zero: false } },
      },
    },
  };
}
