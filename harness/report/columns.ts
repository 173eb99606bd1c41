import { mean } from 'simple-statistics';
import type { Figures, Quantity } from '../analysis/figures.ts';
import { holdsZero, type Interval, isBounded } from '../analysis/interval.ts';
import { isValid } from '../analysis/rows.ts';
import { cpuSliceKindOf } from '../analysis/slices.ts';
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
export interface Column {
  id: string;
  heading: string;
  tables: readonly TableKind[];
  /** Tables whose readers come for it: where there is no room, other columns go. */
  essentialIn?: readonly TableKind[];
  /** Returns its cell of a line; null for what was not measured. */
  cell: (subject: LineSubject) => Cell | null;
}

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
  tables: ['docs', 'rate'],
  essentialIn: ['docs', 'rate'],
  cell: costCell('cpuUs', US),
};

/**
 * Every column there is. Tables show them in this order; what nobody measured is left out. To add a
 * column, add an entry: every format prints it.
 */
export const COLUMNS: readonly Column[] = [
  {
    id: 'latency-change',
    heading: 'Change per request (latency)',
    tables: ['docs'],
    cell: costCell('latencyUs', MS),
  },
  CPU_COLUMN,
  {
    id: 'cpu-multiple',
    heading: "Times the baseline's CPU",
    tables: ['docs', 'rate'],
    essentialIn: ['docs', 'rate'],
    cell: multipleCell,
  },
  {
    id: 'memory-change',
    heading: 'Memory',
    tables: ['footprint'],
    cell: costCell('memoryBytes', MIB),
  },
  {
    id: 'start-up',
    heading: 'Start-up',
    tables: ['footprint'],
    cell: ({ change, footprint }) =>
      valueCell(change ? footprint?.startUpChangeMs : footprint?.startUpMs, MS_ITSELF),
  },
  {
    id: 'standing-cost',
    heading: 'CPU without requests',
    tables: ['footprint'],
    cell: ({ footprint }) => valueCell(footprint?.standingMsPerSecond, MS_A_SECOND),
  },
  {
    id: 'exported-bytes',
    heading: 'Exported per 1,000 requests',
    tables: ['footprint', 'resources'],
    cell: figureCell('bytesPerRequest', KIB_OF_1000),
  },
  {
    id: 'exports',
    heading: 'Exports per 1,000 requests',
    tables: ['footprint', 'resources'],
    cell: figureCell('exportsPerRequest', COUNT_OF_1000),
  },
  {
    id: 'spans-lost-to-receiver',
    heading: 'Spans lost',
    tables: ['docs'],
    essentialIn: ['docs'],
    cell: ({ receiver, figures }) => valueCell(receiver ? figures?.lostShare : null, PERCENT),
  },
  {
    id: 'true-cost',
    heading: 'True cost',
    tables: ['calibration'],
    cell: ({ trueCostsUs, faults }) =>
      trueCostsUs?.length && faults.length === 0 ? valueCell(mean(trueCostsUs), US) : null,
  },
  {
    id: 'measured-cost',
    heading: 'Measured',
    tables: ['calibration'],
    cell: costCell('cpuUs', US),
  },
  {
    id: 'error',
    heading: 'Error',
    tables: ['calibration'],
    cell: ({ costError }) => valueCell(costError, US),
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
    cell: figureCell('latencyUs', MS),
  },
  {
    id: 'p50',
    heading: 'p50',
    tables: ['rate', 'load'],
    cell: figureCell('p50Us', MS),
  },
  {
    id: 'p90',
    heading: 'p90',
    tables: ['rate'],
    cell: figureCell('p90Us', MS),
  },
  {
    id: 'p95',
    heading: 'p95',
    tables: ['load'],
    cell: figureCell('p95Us', MS),
  },
  {
    id: 'p99',
    heading: 'p99',
    tables: ['rate', 'load'],
    essentialIn: ['rate'],
    cell: figureCell('p99Us', MS),
  },
  {
    id: 'p99-change',
    heading: 'Change of p99',
    tables: ['rate'],
    cell: ({ change }) => valueCell(change?.p99Us, MS),
  },
  {
    id: 'p999',
    heading: 'p99.9',
    tables: ['rate'],
    cell: figureCell('p999Us', MS),
  },
  {
    id: 'max-latency',
    heading: 'Max',
    tables: ['load'],
    cell: figureCell('maxUs', MS),
  },
  {
    id: 'throughput',
    heading: 'Requests',
    tables: ['load'],
    cell: figureCell('throughput', PER_SECOND),
  },
  {
    id: 'busy-share',
    heading: 'Core busy',
    tables: ['load'],
    cell: figureCell('busyShare', PERCENT),
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
    cell: ({ pairs }) => sliceKindCell(pairs?.[0]),
  },
  {
    id: 'memory',
    heading: 'Memory',
    tables: ['resources'],
    cell: figureCell('memoryBytes', MIB),
  },
  {
    id: 'event-loop-delay',
    heading: 'Event-loop delay p99',
    tables: ['resources'],
    cell: figureCell('eventLoopDelayUs', MS),
  },
  {
    id: 'spans-lost',
    heading: 'Spans lost',
    tables: ['resources'],
    cell: figureCell('lostShare', PERCENT),
  },
];

/** Returns the cells of a column that shows a figure of the server itself. */
function figureCell(name: keyof Figures, scale: Scale): Column['cell'] {
  return ({ figures }) => valueCell(figures?.[name], scale);
}

/**
 * Returns the cells of a column that shows what a scenario takes more than the baseline; of that,
 * what it takes.
 */
function costCell(quantity: Quantity, scale: Scale): Column['cell'] {
  return ({ change, figures }) => valueCell(change ? change[quantity] : figures?.[quantity], scale);
}

/**
 * Returns a figure, or a change with its interval, in this scale; null for what was not measured.
 */
function valueCell(value: number | Interval | null | undefined, scale: Scale): Cell | null {
  if (value === null || value === undefined) return null;
  const { unit, size } = scale;
  return typeof value === 'number'
    ? plain(figureText(value / size, unit))
    : intervalCell(scale, value);
}

function sliceKindCell(pair: Pair | undefined): Cell | null {
  const kind = pair === undefined ? null : cpuSliceKindOf(pair);
  return kind && plain(kind);
}

function coveredCell({ costError }: LineSubject): Cell | null {
  if (!costError || !isBounded(costError)) return null;
  return holdsZero(costError) ? plain('yes') : { text: 'no', tone: 'worse' };
}

/** All that a request takes: `2.83 ±0.17 x`, and `1 x` for the baseline itself. */
function multipleCell({ cpuMultiple, change, figures }: LineSubject): Cell | null {
  if (!change) return figures?.cpuUs ? plain('1 x') : null;
  return cpuMultiple && plain(multipleIntervalText(cpuMultiple));
}
