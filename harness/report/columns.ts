import { mean } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import { holdsZero, isBounded, isInsignificant } from '../analysis/estimate.ts';
import type { Figures, Quantity } from '../analysis/figures.ts';
import { type Baseline, isValid, type Row, rowsOf } from '../analysis/rows.ts';
import { asNumber, signed, type Unit } from '../words/units.ts';
import { intervalCell, type Plain } from './cells.ts';

/** The form of the first table: a matrix is of CPU time in several tasks with the same scenarios. */
export type Form = 'docs' | 'calibration' | 'rate' | 'matrix';

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

/** Of what the server did, and of what it takes beside its work. */
type Read = (figures: Partial<Figures>, footprint: Baseline['footprint']) => number | null | undefined;
/** How much of a figure of the analysis is one of the unit. */
type Scale = [unit: Unit, size: number];
type Change = Quantity | 'startUpMs';

const MIB = 2 ** 20;
/** At 1,000 requests a second 1 µs for each is a thousandth of a core. */
const CORE_PERCENT = 0.1;
const EXPORTING: Part[] = ['footprint', 'resources'];

/** All there are. Tables show them in this order; what nobody measured is left out. */
export const COLUMNS: Column[] = [
  column('Change per request', ['docs'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.mean, 'latencyUs'),
  column('Server CPU per request', ['docs', 'rate'], ['µs', 1], ({ cpuUs }) => cpuUs, 'cpuUs'),
  { heading: 'Share of one core at 1,000/s', parts: ['docs'], cell: shareOfCore },
  column('Memory', ['footprint'], ['MiB', MIB], ({ memoryBytes }) => memoryBytes, 'memoryBytes'),
  column('Start-up', ['footprint'], ['ms', 1], (_, footprint) => footprint?.startUpMs, 'startUpMs'),
  column('CPU without requests', ['footprint'], ['ms/s', 1], (_, footprint) => footprint?.standingMsPerSecond),
  column('Exported per 1,000 requests', EXPORTING, ['KiB', 1.024], ({ exported }) => exported?.bytesPerRequest),
  column('Exports per 1,000 requests', EXPORTING, ['', 1e-3], ({ exported }) => exported?.exportsPerRequest),
  ofRow('Spans lost', ['docs'], ({ receiver, figures }) => {
    const lost = receiver && figures?.exported?.lostShare;
    return typeof lost === 'number' ? { value: lost * 100, unit: '%' } : null;
  }),
  ofRow('True cost', ['calibration'], ({ trueCostsUs, faults }) =>
    trueCostsUs && faults.length === 0 ? { value: mean(trueCostsUs), unit: 'µs' } : null,
  ),
  ofRow('Measured', ['calibration'], (row) => changeCell(row, 'cpuUs')),
  ofRow('Error', ['calibration'], ({ costError }) => costError && intervalCell('cpuUs', costError)),
  ofRow('Covered', ['calibration'], ({ costError }) =>
    costError && isBounded(costError) ? (holdsZero(costError) ? 'yes' : 'no') : null,
  ),
  column('Mean latency', ['load'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.mean),
  column('p50', ['rate', 'load'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.p50),
  column('p90', ['rate'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.p90),
  column('p95', ['load'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.p95),
  column('p99', ['rate', 'load'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.p99),
  ofRow('Change of p99', ['rate'], (row) => changeCell(row, 'p99Us')),
  column('p99.9', ['rate'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.p999),
  column('Max', ['load'], ['ms', 1e3], ({ latencyUs }) => latencyUs?.max),
  column('Requests', ['load'], ['/s', 1], ({ throughput }) => throughput),
  column('Core busy', ['load'], ['%', 0.01], ({ busyShare }) => busyShare),
  ofRow('Pairs', ['load'], ({ pairs }) => String(pairs.filter(isValid).length)),
  column('CPU user per request', ['resources'], ['µs', 1], ({ resources }) => resources?.cpuUserUs),
  column('CPU system per request', ['resources'], ['µs', 1], ({ resources }) => resources?.cpuSystemUs),
  column('Memory', ['resources'], ['MiB', MIB], ({ memoryBytes }) => memoryBytes),
  column('Event-loop delay p99', ['resources'], ['ms', 1e3], ({ resources }) => resources?.eventLoopDelayUs),
  column('Spans lost', ['resources'], ['%', 0.01], ({ exported }) => exported?.lostShare),
];

/** A figure of each server; of scenarios their change of that quantity, if one is named. */
function column(heading: string, parts: Part[], [unit, size]: Scale, read: Read, quantity?: Change): Column {
  const cell: Column['cell'] = (server) => {
    if (quantity && 'change' in server) return changeCell(server, quantity);
    const value = (read({ ...server.figures }, server.footprint) ?? Number.NaN) / size;
    return Number.isFinite(value) ? { value, unit } : null;
  };
  return { heading, parts, cell };
}

function changeCell({ change, footprint }: Row, quantity: Change): Plain | null {
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
