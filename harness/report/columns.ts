import { mean } from 'simple-statistics';
import { holdsZero } from '../analysis/estimate.ts';
import type { Figures } from '../analysis/figures.ts';
import type { Footprint } from '../analysis/footprint.ts';
import type { Row, TaskAnalysis } from '../analysis/rows.ts';
import { asMBs, asMiB, asMs, asPercent, asRate, asUs, type Changing, intervalCell } from '../words/units.ts';

/** A row of the analysis, or the baseline, which has no change. */
type Server = Row | TaskAnalysis['baseline'];

/** A column of the tables that list scenarios. */
export interface Column {
  heading: string;
  /** What it shows of the scenarios in place of what they took. */
  change?: Changing | undefined;
  /** Null if it was not measured. */
  cell: (server: Server, task: TaskAnalysis) => string | null;
}

/** What a server has and takes; nothing of what was not measured. */
type Read = (server: Partial<Figures & Footprint>, task: TaskAnalysis) => number | null | undefined;

/** For shares of which a thousandth counts. */
const asFinePercent = (share: number) => `${(share * 100).toFixed(2)} %`;

const CPU = column('Server CPU per request', asUs, ({ cpuUs }) => cpuUs, 'cpuUs');
const P50 = column('p50', asMs, ({ latencyUs }) => latencyUs?.p50);
const P90 = column('p90', asMs, ({ latencyUs }) => latencyUs?.p90);
const P99 = column('p99', asMs, ({ latencyUs }) => latencyUs?.p99);
const P999 = column('p99.9', asMs, ({ latencyUs }) => latencyUs?.p999);

/** By table: the one for documentation, that of a calibration or at a steady rate, and those with the details. */
export const COLUMNS = {
  docs: [
    column('Change per request', asMs, ({ latencyUs }) => latencyUs?.mean, 'latencyUs'),
    CPU,
    column('Throughput', asRate, ({ throughput }) => throughput, 'throughput'),
    column('Memory', asMiB, ({ rssBytes }) => rssBytes, 'rssBytes'),
    column('Start-up', asMs, ({ startUpMs }) => startUpMs && startUpMs * 1e3, 'startUpMs'),
    column('Installed', asMiB, ({ installedBytes }) => installedBytes),
    column('Upload', asMBs, ({ throughput }, task) => throughput && throughput * largeBody(task)),
    column('CPU per MB', asUs, ({ cpuUs }, task) => cpuUs && (cpuUs * 1e6) / largeBody(task)),
  ],
  calibration: [
    ofRow('True cost', ({ trueCostsUs }) => trueCostsUs && asUs(mean(trueCostsUs))),
    ofRow('Measured', ({ change }) => change.cpuUs && intervalCell('cpuUs', change.cpuUs.estimate)),
    ofRow('Error', ({ costError }) => costError && intervalCell('cpuUs', costError)),
    ofRow('Covered', ({ costError }) => costError && (holdsZero(costError) ? 'yes' : 'no')),
  ],
  rate: [CPU, P50, P90, P99, P999],
  load: [
    column('Mean latency', asMs, ({ latencyUs }) => latencyUs?.mean),
    P50,
    column('p95', asMs, ({ latencyUs }) => latencyUs?.p95),
    P99,
    column('Max', asMs, ({ latencyUs }) => latencyUs?.max),
    column('Requests', asRate, ({ throughput }) => throughput),
    column('Core busy', asPercent, ({ busyShare }) => busyShare),
    { heading: 'Pairs', cell: ({ pairs }) => String(pairs ?? '') },
  ],
  resources: [
    column('CPU user per request', asUs, ({ resources }) => resources?.cpuUserUs),
    column('CPU system per request', asUs, ({ resources }) => resources?.cpuSystemUs),
    column('RSS mean', asMiB, ({ resources }) => resources?.rssBytes.mean),
    column('RSS max', asMiB, ({ resources }) => resources?.rssBytes.max),
    column('Heap mean', asMiB, ({ resources }) => resources?.heapBytes.mean),
    column('Heap max', asMiB, ({ resources }) => resources?.heapBytes.max),
    column('Event-loop delay p99', asMs, ({ resources }) => resources?.eventLoopDelayUs.p99),
    column('Event-loop delay max', asMs, ({ resources }) => resources?.eventLoopDelayUs.max),
    column('Spans received', asFinePercent, ({ exported }) => exported?.receivedShare),
    column('Sink busy', asPercent, ({ exported }) => exported?.sinkShare),
  ],
} satisfies Record<string, Column[]>;

/** A figure of each server; or of the baseline alone, if there is a change to show of the others. */
function column(heading: string, print: (figure: number) => string, read: Read, change?: Changing): Column {
  const cell: Column['cell'] = (server, task) => {
    if (change && server.change) {
      const changed = changeOf(server, change);
      return changed ? intervalCell(change, changed) : null;
    }
    const figure = read({ ...server.figures, ...server.footprint }, task) ?? Number.NaN;
    return Number.isFinite(figure) ? print(figure) : null;
  };
  return { heading, change, cell };
}

/** Of scenarios alone. */
function ofRow(heading: string, print: (row: Row) => string | null): Column {
  return { heading, cell: (server) => server.change && print(server) };
}

function changeOf({ change, footprint }: Server, of: Changing) {
  if (of === 'rssBytes') return footprint?.rssChangeBytes;
  return of === 'startUpMs' ? footprint?.startUpChangeMs : change?.[of]?.estimate;
}

/** From 10 MB on the body is the work, and a reader thinks in MB. Not a number for tasks with a smaller one. */
function largeBody({ bodyBytes }: TaskAnalysis): number {
  return bodyBytes !== null && bodyBytes >= 1e7 ? bodyBytes : Number.NaN;
}
