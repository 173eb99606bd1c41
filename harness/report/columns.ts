import { halfWidth, holdsZero } from '../analysis/estimate.ts';
import type { Change, Figures, Interval, Quantity, Resources, Row, TaskAnalysis } from '../analysis/model.ts';
import {
  asMBs,
  asMiB,
  asMs,
  asPercent,
  asPrecisePercent,
  asRate,
  asUs,
  CHANGE_UNITS,
  decimalsOf,
  signed,
} from './units.ts';

/** Which table a column is in: the one for documentation, or one of those with the details. */
export type Part = 'docs' | 'load' | 'resources';

/** What a cell shows; null if it was not measured. */
export type Cell = string | null;

/** A row of the analysis, or the baseline, which has no change. */
type Server = Pick<Row, 'figures'> & { change: Row['change'] | null; pairs: number | null };

/** One column of the tables that list scenarios: declared here once, printed by every format. */
export interface Column {
  heading: string;
  part: Part;
  cell: (server: Server, task: TaskAnalysis) => Cell;
}

export const COLUMNS: Column[] = [
  change('Change per request', 'latencyUs', ({ latencyUs }) => print(latencyUs?.mean, asMs)),
  change('Server CPU per request', 'cpuUs', ({ cpuUs }) => print(cpuUs, asUs)),
  change('Throughput', 'throughput', ({ throughput }) => print(throughput, asRate)),
  upload('Upload', ({ throughput }, bytes) => print(throughput, (rate) => asMBs(rate * bytes))),
  upload('CPU per MB', ({ cpuUs }, bytes) => print(cpuUs, (timeUs) => asUs((timeUs * 1e6) / bytes))),
  figure('load', 'Mean latency', ({ latencyUs }) => print(latencyUs?.mean, asMs)),
  figure('load', 'p50', ({ latencyUs }) => print(latencyUs?.p50, asMs)),
  figure('load', 'p95', ({ latencyUs }) => print(latencyUs?.p95, asMs)),
  figure('load', 'p99', ({ latencyUs }) => print(latencyUs?.p99, asMs)),
  figure('load', 'Max', ({ latencyUs }) => print(latencyUs?.max, asMs)),
  figure('load', 'Requests', ({ throughput }) => print(throughput, asRate)),
  figure('load', 'Core busy', ({ busyShare }) => print(busyShare, asPercent)),
  { part: 'load', heading: 'Pairs', cell: ({ pairs }) => String(pairs ?? '') },
  resource('CPU user per request', ({ cpuUserUs }) => asUs(cpuUserUs)),
  resource('CPU system per request', ({ cpuSystemUs }) => asUs(cpuSystemUs)),
  resource('RSS mean', ({ rssBytes }) => asMiB(rssBytes.mean)),
  resource('RSS max', ({ rssBytes }) => asMiB(rssBytes.max)),
  resource('Heap mean', ({ heapBytes }) => asMiB(heapBytes.mean)),
  resource('Heap max', ({ heapBytes }) => asMiB(heapBytes.max)),
  resource('Event-loop delay p99', ({ eventLoopDelayUs }) => asMs(eventLoopDelayUs.p99)),
  resource('Event-loop delay max', ({ eventLoopDelayUs }) => asMs(eventLoopDelayUs.max)),
  figure('resources', 'Spans received', ({ exported }) => print(exported?.receivedShare, asPrecisePercent)),
  figure('resources', 'Sink busy', ({ exported }) => print(exported?.sinkShare, asPercent)),
];

/**
 * A figure of the analysis with its interval: `+2.14 µs ±0.26`, and `~ +0.01 µs ±0.05` if that holds zero. The interval
 * gets two digits, and the figure as many decimals.
 */
export function intervalCell(quantity: Quantity, figure: Interval): string {
  const { unit, factor } = CHANGE_UNITS[quantity];
  const value = figure.value * factor;
  const width = halfWidth(figure) * factor;
  if (Number.isNaN(value)) return '-';
  if (!Number.isFinite(width)) return `${signed(value)} ${unit} (1 pair: no interval)`;
  const decimals = decimalsOf(width);
  const mark = holdsZero(figure) ? '~ ' : '';
  return `${mark}${signed(value, decimals)} ${unit} ±${width.toFixed(decimals)}`;
}

function change(heading: string, quantity: Quantity, ofBaseline: (figures: Figures) => Cell): Column {
  const changed = ({ estimate }: Change) => intervalCell(quantity, estimate);
  return {
    heading,
    part: 'docs',
    cell: ({ change, figures }) => (change ? print(change[quantity], changed) : figures && ofBaseline(figures)),
  };
}

function figure(part: Part, heading: string, read: (figures: Figures, task: TaskAnalysis) => Cell): Column {
  return { heading, part, cell: ({ figures }, task) => figures && read(figures, task) };
}

function resource(heading: string, read: (resources: Resources) => string): Column {
  return figure('resources', heading, ({ resources }) => resources && read(resources));
}

/** From this size on the body is the work, and a reader thinks in MB. */
const LARGE_BODY_BYTES = 1e7;

/** A column for tasks that send a large body. */
function upload(heading: string, read: (figures: Figures, bytes: number) => Cell): Column {
  return figure('docs', heading, (figures, { bodyBytes }) =>
    bodyBytes !== null && bodyBytes >= LARGE_BODY_BYTES ? read(figures, bodyBytes) : null,
  );
}

function print<Value>(value: Value | null | undefined, printed: (value: Value) => Cell): Cell {
  return value === null || value === undefined ? null : printed(value);
}
