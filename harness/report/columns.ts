import { mean } from 'simple-statistics';
import { holdsZero, type Interval } from '../analysis/estimate.ts';
import type { Figures } from '../analysis/figures.ts';
import type { Footprint } from '../analysis/footprint.ts';
import type { Row, TaskAnalysis } from '../analysis/task.ts';
import {
  asMBs,
  asMiB,
  asMs,
  asPercent,
  asPrecisePercent,
  asRate,
  asUs,
  type Changing,
  intervalCell,
} from '../analysis/units.ts';

/** Which tables a column may be in: the one for documentation, that of a calibration or at a steady rate, or one of those with the details. */
export type Part = 'docs' | 'calibration' | 'rate' | 'load' | 'resources';

/** A row of the analysis, or the baseline, which has no change. */
type Server = Row | TaskAnalysis['baseline'];

/** One column of the tables that list scenarios: declared here once, printed by every format. */
export interface Column {
  parts: Part[];
  heading: string;
  /** What it shows of the scenarios in place of what they took. */
  change?: Changing | undefined;
  /** Null if it was not measured. */
  cell: (server: Server, task: TaskAnalysis) => string | null;
}

/** What a server has and takes; nothing of what was not measured. */
type Read = (server: Partial<Figures & Footprint>, task: TaskAnalysis) => number | null | undefined;

export const COLUMNS: Column[] = [
  column('docs', 'Change per request', asMs, ({ latencyUs }) => latencyUs?.mean, 'latencyUs'),
  column(['docs', 'rate'], 'Server CPU per request', asUs, ({ cpuUs }) => cpuUs, 'cpuUs'),
  column('docs', 'Throughput', asRate, ({ throughput }) => throughput, 'throughput'),
  column('docs', 'Memory', asMiB, ({ rssBytes }) => rssBytes, 'rssBytes'),
  column('docs', 'Start-up', asMs, ({ startUpMs }) => startUpMs && startUpMs * 1e3, 'startUpMs'),
  column('docs', 'Installed', asMiB, ({ installedBytes }) => installedBytes),
  column('docs', 'Upload', asMBs, ({ throughput }, task) => throughput && throughput * largeBody(task)),
  column('docs', 'CPU per MB', asUs, ({ cpuUs }, task) => cpuUs && (cpuUs * 1e6) / largeBody(task)),
  calibration('True cost', ({ trueCostsUs }) => trueCostsUs && asUs(mean(trueCostsUs))),
  calibration('Measured', ({ change }) => change.cpuUs && intervalCell('cpuUs', change.cpuUs.estimate)),
  calibration('Error', ({ costError }) => costError && intervalCell('cpuUs', costError)),
  calibration('Covered', ({ costError }) => costError && (holdsZero(costError) ? 'yes' : 'no')),
  column('load', 'Mean latency', asMs, ({ latencyUs }) => latencyUs?.mean),
  column(['rate', 'load'], 'p50', asMs, ({ latencyUs }) => latencyUs?.p50),
  column('rate', 'p90', asMs, ({ latencyUs }) => latencyUs?.p90),
  column('load', 'p95', asMs, ({ latencyUs }) => latencyUs?.p95),
  column(['rate', 'load'], 'p99', asMs, ({ latencyUs }) => latencyUs?.p99),
  column('rate', 'p99.9', asMs, ({ latencyUs }) => latencyUs?.p999),
  column('load', 'Max', asMs, ({ latencyUs }) => latencyUs?.max),
  column('load', 'Requests', asRate, ({ throughput }) => throughput),
  column('load', 'Core busy', asPercent, ({ busyShare }) => busyShare),
  { parts: ['load'], heading: 'Pairs', cell: ({ pairs }) => String(pairs ?? '') },
  column('resources', 'CPU user per request', asUs, ({ resources }) => resources?.cpuUserUs),
  column('resources', 'CPU system per request', asUs, ({ resources }) => resources?.cpuSystemUs),
  column('resources', 'RSS mean', asMiB, ({ resources }) => resources?.rssBytes.mean),
  column('resources', 'RSS max', asMiB, ({ resources }) => resources?.rssBytes.max),
  column('resources', 'Heap mean', asMiB, ({ resources }) => resources?.heapBytes.mean),
  column('resources', 'Heap max', asMiB, ({ resources }) => resources?.heapBytes.max),
  column('resources', 'Event-loop delay p99', asMs, ({ resources }) => resources?.eventLoopDelayUs.p99),
  column('resources', 'Event-loop delay max', asMs, ({ resources }) => resources?.eventLoopDelayUs.max),
  column('resources', 'Spans received', asPrecisePercent, ({ exported }) => exported?.receivedShare),
  column('resources', 'Sink busy', asPercent, ({ exported }) => exported?.sinkShare),
];

/** A figure of each server; or of the baseline alone, if there is a change to show of the others. */
function column(
  parts: Part | Part[],
  heading: string,
  print: (figure: number) => string,
  read: Read,
  change?: Changing,
): Column {
  return {
    ...{ parts: [parts].flat(), heading, change },
    cell: (server, task) => {
      if (change && server.change) {
        const changed = changeOf(server, change);
        return changed ? intervalCell(change, changed) : null;
      }
      const figure = read({ ...server.figures, ...server.footprint }, task) ?? Number.NaN;
      return Number.isFinite(figure) ? print(figure) : null;
    },
  };
}

/** What is known of a row whose true cost is known, and its error. */
function calibration(heading: string, print: (row: Row) => string | null): Column {
  return { parts: ['calibration'], heading, cell: (server) => server.change && print(server) };
}

function changeOf({ change, footprint }: Server, of: Changing): Interval | null | undefined {
  if (of === 'rssBytes') return footprint?.rssChangeBytes;
  return of === 'startUpMs' ? footprint?.startUpChangeMs : change?.[of]?.estimate;
}

/** From 10 MB on the body is the work, and a reader thinks in MB. Not a number for tasks with a smaller one. */
function largeBody({ bodyBytes }: TaskAnalysis): number {
  return bodyBytes !== null && bodyBytes >= 1e7 ? bodyBytes : Number.NaN;
}
