import { mean } from 'simple-statistics';
import type { Figures } from '../analysis/figures.ts';
import { holdsZero, type Interval, isBounded } from '../analysis/interval.ts';
import type { Quantity } from '../analysis/quantities.ts';
import { isValid } from '../analysis/rows.ts';
import { rowSliceKindOf, sliceKindText } from '../analysis/slices.ts';
import type { Pair } from '../result/schema.ts';
import { figureText } from '../words/units.ts';
import {
  type Cell,
  intervalCell,
  MIB,
  MS,
  multipleIntervalText,
  PERCENT,
  plain,
  type Scale,
  US,
} from './cells.ts';
import type { LineSubject, TableKind } from './lines.ts';

/** A column of some of the tables. */
export interface Column extends Contents {
  id: string;
  heading: string;
  tables: readonly TableKind[];
  /** Tables whose readers come for it: where there is no room, other columns go. */
  essentialIn?: readonly TableKind[];
}

/** What a column has in a line. */
interface Contents {
  /** Returns its cell of a line; null for what was not measured. */
  cell: (subject: LineSubject) => Cell | null;
  /**
   * Returns the figure in that cell, for who prints it elsewhere, such as in a sentence; null for
   * what was not measured. A column without it can't be named there, even if it shows a number.
   */
  measured?: (subject: LineSubject) => Measured | null;
}

/** A figure, or a change with its interval, and how it is printed. */
export interface Measured {
  value: number | Interval;
  scale: Scale;
}

const TIMES: Scale = { unit: 'x', size: 1 };
const MS_ITSELF: Scale = { unit: 'ms', size: 1 };
const MS_A_SECOND: Scale = { unit: 'ms/s', size: 1 };
const PER_SECOND: Scale = { unit: '/s', size: 1 };
/** Bytes of a request, as KiB of 1,000 requests. */
const KIB_OF_1000: Scale = { unit: 'KiB', size: 1.024 };
/** A number for each request, as that for 1,000 requests. */
const COUNT_OF_1000: Scale = { unit: '', size: 1e-3 };

/** The column that a matrix of tasks and scenarios shows. */
export const CPU_COLUMN: Column = {
  id: 'cpu',
  heading: 'Server CPU per request',
  tables: ['costs', 'rate'],
  essentialIn: ['costs', 'rate'],
  ...cost('cpuUs', US),
};

/** Half of the requests take no longer. */
export const P50_COLUMN: Column = {
  id: 'p50',
  heading: 'p50',
  tables: ['rate', 'load'],
  ...ownFigure('p50Us', MS),
};

/** One request of a hundred takes longer. */
const P99_COLUMN: Column = {
  id: 'p99',
  heading: 'p99',
  tables: ['rate', 'load'],
  essentialIn: ['rate'],
  ...ownFigure('p99Us', MS),
};

/** What a scenario adds to p99; of the baseline all of it. The table of several rates alone has it. */
export const P99_COST_COLUMN: Column = {
  id: 'p99-cost',
  heading: 'Change of p99',
  tables: [],
  ...cost('p99Us', MS),
};

/**
 * Every column there is. Tables show them in this order; what nobody measured is left out. To add a
 * column, add an entry: every format prints it.
 */
export const COLUMNS: readonly Column[] = [
  {
    id: 'latency-change',
    heading: 'Change per request (latency)',
    tables: ['costs'],
    ...cost('latencyUs', MS),
  },
  CPU_COLUMN,
  {
    id: 'cpu-multiple',
    heading: "Times the baseline's CPU",
    tables: ['costs', 'rate'],
    essentialIn: ['costs', 'rate'],
    ...figure(TIMES, multipleOf),
    cell: multipleCell,
  },
  {
    id: 'memory-change',
    heading: 'Memory',
    tables: ['footprint'],
    ...cost('memoryBytes', MIB),
  },
  {
    id: 'start-up',
    heading: 'Start-up',
    tables: ['footprint'],
    ...figure(MS_ITSELF, ({ change, footprint }) =>
      change ? footprint?.startUpChangeMs : footprint?.startUpMs,
    ),
  },
  {
    id: 'standing-cost',
    heading: 'CPU without requests',
    tables: ['footprint'],
    ...figure(MS_A_SECOND, ({ footprint }) => footprint?.standingMsPerSecond),
  },
  {
    id: 'spans',
    heading: 'Spans per request',
    tables: ['footprint'],
    cell: ({ figures }) => spansCell(figures?.spansPerRequest ?? null),
  },
  {
    id: 'exported-bytes',
    heading: 'Exported per 1,000 requests',
    tables: ['footprint', 'resources'],
    ...ownFigure('bytesPerRequest', KIB_OF_1000),
  },
  {
    id: 'exports',
    heading: 'Exports per 1,000 requests',
    tables: ['footprint', 'resources'],
    ...ownFigure('exportsPerRequest', COUNT_OF_1000),
  },
  {
    id: 'spans-lost-to-receiver',
    heading: 'Spans lost',
    tables: ['costs'],
    essentialIn: ['costs'],
    ...figure(PERCENT, ({ receiver, figures }) => (receiver ? figures?.lostShare : null)),
  },
  {
    id: 'true-cost',
    heading: 'True cost',
    tables: ['calibration'],
    ...figure(US, ({ trueCostsUs, faults }) =>
      trueCostsUs?.length && faults.length === 0 ? mean(trueCostsUs) : null,
    ),
  },
  {
    id: 'measured-cost',
    heading: 'Measured',
    tables: ['calibration'],
    ...cost('cpuUs', US),
  },
  {
    id: 'error',
    heading: 'Error',
    tables: ['calibration'],
    ...figure(US, ({ costError }) => costError),
  },
  {
    id: 'covered',
    heading: 'Covered',
    tables: ['calibration'],
    cell: coveredCell,
  },
  {
    id: 'mean-latency',
    heading: 'Mean latency',
    tables: ['load'],
    ...ownFigure('latencyUs', MS),
  },
  P50_COLUMN,
  {
    id: 'p90',
    heading: 'p90',
    tables: ['rate'],
    ...ownFigure('p90Us', MS),
  },
  {
    id: 'p95',
    heading: 'p95',
    tables: ['load'],
    ...ownFigure('p95Us', MS),
  },
  P99_COLUMN,
  {
    id: 'p99-change',
    heading: 'Change of p99',
    tables: ['rate'],
    ...figure(MS, ({ change }) => change?.p99Us),
  },
  {
    id: 'p999',
    heading: 'p99.9',
    tables: ['rate'],
    ...ownFigure('p999Us', MS),
  },
  {
    id: 'max-latency',
    heading: 'Max',
    tables: ['load'],
    ...ownFigure('maxUs', MS),
  },
  {
    id: 'throughput',
    heading: 'Requests',
    tables: ['load'],
    ...ownFigure('throughput', PER_SECOND),
  },
  {
    id: 'busy-share',
    heading: 'Core busy',
    tables: ['load'],
    ...ownFigure('busyShare', PERCENT),
  },
  {
    id: 'pairs',
    heading: 'Pairs',
    tables: ['load'],
    cell: ({ pairs }) => pairs && plain(String(pairs.filter(isValid).length)),
  },
  {
    id: 'cpu-slices',
    heading: 'CPU from',
    tables: ['load'],
    cell: ({ pairs }) => sliceKindCell(pairs ?? []),
  },
  {
    id: 'memory',
    heading: 'Memory',
    tables: ['resources'],
    ...ownFigure('memoryBytes', MIB),
  },
  {
    id: 'event-loop-delay',
    heading: 'Event-loop delay p99',
    tables: ['resources'],
    ...ownFigure('eventLoopDelayUs', MS),
  },
  {
    id: 'spans-lost',
    heading: 'Spans lost',
    tables: ['resources'],
    ...ownFigure('lostShare', PERCENT),
  },
];

/** Returns what a column has that shows a figure of the server itself. */
function ownFigure(name: keyof Figures, scale: Scale): Contents {
  return figure(scale, ({ figures }) => figures?.[name]);
}

/**
 * Returns what a column has that shows what a scenario takes more than the baseline; of that, what
 * it takes.
 */
function cost(quantity: Quantity, scale: Scale): Contents {
  return figure(scale, ({ change, figures }) => (change ? change[quantity] : figures?.[quantity]));
}

/**
 * Returns what a column has that shows a figure, or a change with its interval, in this scale.
 * @param read null or undefined for what was not measured
 */
function figure(
  scale: Scale,
  read: (subject: LineSubject) => number | Interval | null | undefined,
): Contents {
  const measured = (subject: LineSubject): Measured | null => {
    const value = read(subject) ?? null;
    return value === null ? null : { value, scale };
  };
  return { measured, cell: (subject) => measuredCell(measured(subject)) };
}

function measuredCell(measured: Measured | null): Cell | null {
  if (measured === null) return null;
  const { value, scale } = measured;
  return typeof value === 'number'
    ? plain(figureText(value / scale.size, scale.unit))
    : intervalCell(scale, value);
}

/** Returns `4`, and `0.1` if a tenth of the requests are sampled: only none is 0. */
function spansCell(spans: number | null): Cell | null {
  if (spans === null) return null;
  const digits = spans < 1 ? spans.toPrecision(2) : spans.toFixed(2);
  return plain(String(Number(digits)));
}

function sliceKindCell(pairs: readonly Pair[]): Cell | null {
  const kind = rowSliceKindOf(pairs);
  return kind && plain(sliceKindText(kind));
}

function coveredCell({ costError }: LineSubject): Cell | null {
  if (!costError || !isBounded(costError)) return null;
  return holdsZero(costError) ? plain('yes') : { text: 'no', tone: 'worse' };
}

/** All that a request takes, as a multiple of what it takes of the baseline. */
function multipleOf({ cpuMultiple, change, figures }: LineSubject): number | Interval | null {
  if (change) return cpuMultiple;
  return figures?.cpuUs ? 1 : null;
}

/** Returns `2.83 ±0.17 x`, and `1 x` for the baseline itself. */
function multipleCell(subject: LineSubject): Cell | null {
  const multiple = multipleOf(subject);
  if (multiple === null) return null;
  return plain(typeof multiple === 'number' ? `${multiple} x` : multipleIntervalText(multiple));
}
