import { mean } from 'simple-statistics';
import { holdsZero, type Interval } from '../analysis/estimate.ts';
import type { Figures } from '../analysis/figures.ts';
import { isValid } from '../analysis/pairs.ts';
import type { Baseline, Row, TaskAnalysis } from '../analysis/rows.ts';
import type { Unit } from '../words/units.ts';
import { type Changing, intervalCell, type Plain } from './cells.ts';

/** The tables that list scenarios. */
export type Part = 'docs' | 'rate' | 'calibration' | 'load' | 'resources';

/** A column of some of them. */
export interface Column {
  heading: string;
  parts: Part[];
  /** What it shows of scenarios in place of what they took. */
  change?: Changing;
  /** Null if it was not measured. */
  cell: (server: Row | Baseline, task: TaskAnalysis) => Plain | null;
}

type Server = { figures: Partial<Figures> } & Pick<Baseline, 'footprint'>;
type Read = (server: Server, task: TaskAnalysis) => number | null | undefined;

const MB = 1e6;
const MIB = 2 ** 20;

/** All there are. Tables show them in this order; what nobody measured is left out. */
export const COLUMNS: Column[] = [
  changing('Change per request', ['docs'], 'latencyUs', 'ms', ({ figures }) => ms(figures.latencyUs?.mean)),
  changing('Server CPU per request', ['docs', 'rate'], 'cpuUs', 'µs', ({ figures }) => figures.cpuUs),
  changing('Throughput', ['docs'], 'throughput', '/s', ({ figures }) => figures.throughput),
  changing('Memory', ['docs'], 'memoryBytes', 'MiB', ({ footprint }) => per(footprint?.memoryBytes, MIB)),
  changing('Start-up', ['docs'], 'startUpMs', 'ms', ({ footprint }) => footprint?.startUpMs),
  column('Installed', ['docs'], 'MiB', ({ footprint }) => per(footprint?.installedBytes, MIB)),
  column(
    'Upload',
    ['docs'],
    'MB/s',
    ({ figures: { throughput } }, task) => throughput && (throughput * largeBody(task)) / MB,
  ),
  column('CPU per MB', ['docs'], 'µs', ({ figures: { cpuUs } }, task) => cpuUs && (cpuUs * MB) / largeBody(task)),
  ofRow('True cost', ['calibration'], ({ trueCostsUs }) => trueCostsUs && { value: mean(trueCostsUs), unit: 'µs' }),
  ofRow('Measured', ['calibration'], ({ change: { cpuUs } }) => cpuUs && intervalCell('cpuUs', cpuUs.estimate)),
  ofRow('Error', ['calibration'], ({ costError }) => costError && intervalCell('cpuUs', costError)),
  ofRow('Covered', ['calibration'], ({ costError }) => costError && (holdsZero(costError) ? 'yes' : 'no')),
  column('Mean latency', ['load'], 'ms', ({ figures }) => ms(figures.latencyUs?.mean)),
  column('p50', ['rate', 'load'], 'ms', ({ figures }) => ms(figures.latencyUs?.p50)),
  column('p90', ['rate'], 'ms', ({ figures }) => ms(figures.latencyUs?.p90)),
  column('p95', ['load'], 'ms', ({ figures }) => ms(figures.latencyUs?.p95)),
  column('p99', ['rate', 'load'], 'ms', ({ figures }) => ms(figures.latencyUs?.p99)),
  column('p99.9', ['rate'], 'ms', ({ figures }) => ms(figures.latencyUs?.p999)),
  column('Max', ['load'], 'ms', ({ figures }) => ms(figures.latencyUs?.max)),
  column('Requests', ['load'], '/s', ({ figures }) => figures.throughput),
  column('Core busy', ['load'], '%', ({ figures }) => percent(figures.busyShare)),
  ofRow('Pairs', ['load'], ({ pairs }) => String(pairs.filter(isValid).length)),
  column('CPU user per request', ['resources'], 'µs', ({ figures }) => figures.resources?.cpuUserUs),
  column('CPU system per request', ['resources'], 'µs', ({ figures }) => figures.resources?.cpuSystemUs),
  column('Standing CPU', ['resources'], 'ms/s', ({ footprint }) => footprint?.standingMsPerSecond),
  column('Memory mean', ['resources'], 'MiB', ({ figures }) => per(figures.memoryBytes?.mean, MIB)),
  column('Memory max', ['resources'], 'MiB', ({ figures }) => per(figures.memoryBytes?.max, MIB)),
  column('Heap mean', ['resources'], 'MiB', ({ figures }) => per(figures.resources?.heapBytes?.mean, MIB)),
  column('Heap max', ['resources'], 'MiB', ({ figures }) => per(figures.resources?.heapBytes?.max, MIB)),
  column('Event-loop delay p99', ['resources'], 'ms', ({ figures }) => ms(figures.resources?.eventLoopDelayUs?.p99)),
  column('Event-loop delay max', ['resources'], 'ms', ({ figures }) => ms(figures.resources?.eventLoopDelayUs?.max)),
  column('Spans received', ['resources'], '%', ({ figures }) => percent(figures.exported?.receivedShare), 2),
  column('Sink busy', ['resources'], '%', ({ figures }) => percent(figures.exported?.sinkShare)),
];

/** The change of a row, if it has one. */
export function changeOf({ change, footprint }: Row, of: Changing): Interval | null | undefined {
  if (of === 'memoryBytes') return footprint?.memoryChangeBytes;
  return of === 'startUpMs' ? footprint?.startUpChangeMs : change[of]?.estimate;
}

/** A figure of each server. */
function column(heading: string, parts: Part[], unit: Unit, read: Read, decimals?: number): Column {
  const cell: Column['cell'] = ({ figures, footprint }, task) => {
    const value = read({ figures: { ...figures }, footprint }, task) ?? Number.NaN;
    return Number.isFinite(value) ? { value, unit, ...(decimals !== undefined && { decimals }) } : null;
  };
  return { heading, parts, cell };
}

/** A figure of the baseline, and its change in the others. */
function changing(heading: string, parts: Part[], change: Changing, unit: Unit, read: Read): Column {
  const ofBaseline = column(heading, parts, unit, read);
  const ofOthers = ofRow(heading, parts, (row) => {
    const interval = changeOf(row, change);
    return interval ? intervalCell(change, interval) : null;
  });
  const cell: Column['cell'] = (server, task) => ('change' in server ? ofOthers : ofBaseline).cell(server, task);
  return { heading, parts, change, cell };
}

/** Of scenarios alone. */
function ofRow(heading: string, parts: Part[], cell: (row: Row) => Plain | null): Column {
  return { heading, parts, cell: (server) => ('change' in server ? cell(server) : null) };
}

const per = (value: number | null | undefined, unit: number) =>
  value === null || value === undefined ? null : value / unit;
const ms = (timeUs: number | null | undefined) => per(timeUs, 1e3);
const percent = (share: number | null | undefined) => share && share * 100;

/** From 10 MB on the body is the work, and a reader thinks in MB. Not a number for tasks with a smaller one. */
function largeBody({ bodyBytes }: TaskAnalysis): number {
  return bodyBytes !== null && bodyBytes >= 10 * MB ? bodyBytes : Number.NaN;
}
