import { mean } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import { holdsZero, isBounded, isInsignificant } from '../analysis/estimate.ts';
import type { Figures, Quantity } from '../analysis/figures.ts';
import { type Baseline, isValid, type Row, rowsOf } from '../analysis/rows.ts';
import type { Latency } from '../result/schema.ts';
import { asNumber, signed, type Unit } from '../words/units.ts';
import { intervalCell, type Plain } from './cells.ts';

/** The form of the first table: a matrix is of CPU time in several tasks with the same scenarios. */
export type Form = 'docs' | 'calibration' | 'rate' | 'matrix';

/** The changes that pictures and other programs show, too. */
const COSTS = ['latencyUs', 'cpuUs'] as const;
export type Cost = (typeof COSTS)[number];
export const COST_NAMES = { latencyUs: 'change per request', cpuUs: 'server CPU per request' };

/** Chosen once for all of a report. */
export function formOf({ tasks }: Run): Form {
  const rows = tasks.flatMap((task) => task.rows);
  if (rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null)) return 'calibration';
  if (rows.length > 0 && tasks.every(({ rate }) => rate !== null)) return 'rate';
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  const hasCpu = rows.some(({ change }) => change.cpuUs);
  return tasks.length > 1 && hasCpu && new Set(keys).size === 1 ? 'matrix' : 'docs';
}

/** Of the costs that were measured those that the first table shows. */
export function shownCosts({ tasks }: Run, form: Form): Cost[] {
  const rows = tasks.flatMap(rowsOf);
  return COSTS.filter((cost) => (form === 'docs' || cost === 'cpuUs') && rows.some(({ change }) => change[cost]));
}

/** The tables that list scenarios. */
export type Part = 'docs' | 'footprint' | 'rate' | 'calibration' | 'load' | 'resources';

/** A column of some of them. */
export interface Column {
  heading: string;
  parts: Part[];
  /** Null if it was not measured. */
  cell: (server: Row | Baseline) => Plain | null;
}

type Server = { figures: Partial<Figures> } & Pick<Baseline, 'footprint'>;
type Read = (server: Server) => number | null | undefined;

const MIB = 2 ** 20;
/** At 1,000 requests a second 1 µs for each is a thousandth of a core. */
const CORE_PERCENT = 0.1;

/** All there are. Tables show them in this order; what nobody measured is left out. */
export const COLUMNS: Column[] = [
  column('Change per request', ['docs'], 'ms', latency('mean'), 'latencyUs'),
  column('Server CPU per request', ['docs', 'rate'], 'µs', ({ figures }) => figures.cpuUs, 'cpuUs'),
  { heading: 'Share of one core at 1,000/s', parts: ['docs'], cell: shareOfCore },
  column('Memory', ['footprint'], 'MiB', ({ figures }) => per(figures.memoryBytes, MIB), 'memoryBytes'),
  column('Start-up', ['footprint'], 'ms', ({ footprint }) => footprint?.startUpMs, 'startUpMs'),
  column('CPU without requests', ['footprint'], 'ms/s', ({ footprint }) => footprint?.standingMsPerSecond),
  column('Exported per 1,000 requests', ['footprint', 'resources'], 'KiB', ({ figures }) =>
    per(figures.exported?.bytesPerRequest, 1.024),
  ),
  column('Exports per 1,000 requests', ['footprint', 'resources'], '', ({ figures }) =>
    per(figures.exported?.exportsPerRequest, 1e-3),
  ),
  ofRow('Spans lost', ['docs'], ({ receiver, figures }) => {
    const lost = receiver && figures?.exported?.lostShare;
    return typeof lost === 'number' ? { value: lost * 100, unit: '%' } : null;
  }),
  column('Installed', ['footprint'], 'MiB', ({ footprint }) => per(footprint?.installedBytes, MIB)),
  ofRow('True cost', ['calibration'], ({ trueCostsUs }) => trueCostsUs && { value: mean(trueCostsUs), unit: 'µs' }),
  ofRow('Measured', ['calibration'], (row) => changeCell(row, 'cpuUs')),
  ofRow('Error', ['calibration'], ({ costError }) => costError && intervalCell('cpuUs', costError)),
  ofRow('Covered', ['calibration'], ({ costError }) =>
    costError && isBounded(costError) ? (holdsZero(costError) ? 'yes' : 'no') : null,
  ),
  column('Mean latency', ['load'], 'ms', latency('mean')),
  column('p50', ['rate', 'load'], 'ms', latency('p50')),
  column('p90', ['rate'], 'ms', latency('p90')),
  column('p95', ['load'], 'ms', latency('p95')),
  column('p99', ['rate', 'load'], 'ms', latency('p99')),
  ofRow('Change of p99', ['rate'], (row) => changeCell(row, 'p99Us')),
  column('p99.9', ['rate'], 'ms', latency('p999')),
  column('Max', ['load'], 'ms', latency('max')),
  column('Requests', ['load'], '/s', ({ figures }) => figures.throughput),
  column('Core busy', ['load'], '%', ({ figures }) => per(figures.busyShare, 0.01)),
  ofRow('Pairs', ['load'], ({ pairs }) => String(pairs.filter(isValid).length)),
  column('CPU user per request', ['resources'], 'µs', ({ figures }) => figures.resources?.cpuUserUs),
  column('CPU system per request', ['resources'], 'µs', ({ figures }) => figures.resources?.cpuSystemUs),
  column('Memory', ['resources'], 'MiB', ({ figures }) => per(figures.memoryBytes, MIB)),
  column('Event-loop delay p99', ['resources'], 'ms', ({ figures }) => per(figures.resources?.eventLoopDelayUs, 1e3)),
  column('Spans lost', ['resources'], '%', ({ figures }) => per(figures.exported?.lostShare, 0.01)),
];

/** A figure of each server; of scenarios their change of that quantity, if one is named. */
function column(heading: string, parts: Part[], unit: Unit, read: Read, quantity?: Quantity | 'startUpMs'): Column {
  const cell: Column['cell'] = (server) => {
    if (quantity && 'change' in server) return changeCell(server, quantity);
    const { figures, footprint } = server;
    const value = read({ figures: { ...figures }, footprint }) ?? Number.NaN;
    return Number.isFinite(value) ? { value, unit } : null;
  };
  return { heading, parts, cell };
}

function changeCell({ change, footprint }: Row, quantity: Quantity | 'startUpMs'): Plain | null {
  const interval = quantity === 'startUpMs' ? footprint?.startUpChangeMs : change[quantity]?.estimate;
  return interval ? intervalCell(quantity, interval) : null;
}

/** Of scenarios alone. */
function ofRow(heading: string, parts: Part[], cell: (row: Row) => Plain | null): Column {
  return { heading, parts, cell: (server) => ('change' in server ? cell(server) : null) };
}

/** CPU per request in the unit of who plans: what the baseline takes of a core, and what a scenario adds. */
function shareOfCore(server: Row | Baseline): Plain | null {
  if (!('change' in server)) return server.figures?.cpuUs ? `${asNumber(server.figures.cpuUs * CORE_PERCENT)} %` : null;
  const cost = server.change.cpuUs?.estimate;
  if (!cost) return null;
  return isInsignificant(cost) ? 'n.s.' : `${signed(cost.value * CORE_PERCENT)} %`;
}

function latency(name: keyof Latency): Read {
  return ({ figures }) => per(figures.latencyUs?.[name], 1e3);
}

function per(value: number | null | undefined, unit: number): number | null {
  return value === null || value === undefined ? null : value / unit;
}
