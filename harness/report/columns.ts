import { mean } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import { holdsZero, type Interval, isBounded, isInsignificant } from '../analysis/estimate.ts';
import type { Quantity } from '../analysis/figures.ts';
import { type Baseline, isValid, type Row } from '../analysis/rows.ts';
import { asNumber, asPercent, asUs, figureText, signed } from '../words/units.ts';
import { intervalText, MIB, MS, PERCENT, type Scale, US } from './cells.ts';

/** The form of the first table: a matrix is of CPU time in several tasks with the same scenarios. */
export type Form = 'docs' | 'calibration' | 'rate' | 'matrix';

/** Chosen once for all of a report. */
export function formOf({ tasks }: Run): Form {
  const rows = tasks.flatMap((task) => task.rows);
  if (rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null)) return 'calibration';
  if (rows.length > 0 && tasks.every(({ rate }) => rate !== null)) return 'rate';
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  const hasCpu = rows.some(({ change }) => change.cpuUs);
  return tasks.length > 1 && hasCpu && new Set(keys).size === 1 ? 'matrix' : 'docs';
}

/** The tables that list scenarios. */
export type Part = 'docs' | 'footprint' | 'rate' | 'calibration' | 'load' | 'resources';

/** A column of some of them. */
export interface Column {
  heading: string;
  parts: Part[];
  /** Null if it was not measured. */
  cell: (server: Row | Baseline) => string | null;
}

type Read = (server: Row | Baseline) => number | null | undefined;

/** At 1,000 requests a second 1 µs for each is a thousandth of a core. */
const CORE_PERCENT = 0.1;
const EXPORTING: Part[] = ['footprint', 'resources'];

/** All there are. Tables show them in this order; what nobody measured is left out. */
export const COLUMNS: Column[] = [
  column('Change per request', ['docs'], MS, ({ figures }) => figures?.latencyUs?.mean, changeOf('latencyUs')),
  column('Server CPU per request', ['docs', 'rate'], US, ({ figures }) => figures?.cpuUs, changeOf('cpuUs')),
  { heading: 'Share of one core at 1,000/s', parts: ['docs'], cell: shareOfCore },
  column('Memory', ['footprint'], MIB, ({ figures }) => figures?.memoryBytes, changeOf('memoryBytes')),
  column(
    'Start-up',
    ['footprint'],
    ['ms', 1],
    ({ footprint }) => footprint?.startUpMs,
    ({ footprint }) => footprint?.startUpChangeMs,
  ),
  column('CPU without requests', ['footprint'], ['ms/s', 1], ({ footprint }) => footprint?.standingMsPerSecond),
  column('Exported per 1,000 requests', EXPORTING, ['KiB', 1.024], ({ figures }) => figures?.exported?.bytesPerRequest),
  column('Exports per 1,000 requests', EXPORTING, ['', 1e-3], ({ figures }) => figures?.exported?.exportsPerRequest),
  ofRow('Spans lost', ['docs'], ({ receiver, figures }) => {
    const lost = receiver && figures?.exported?.lostShare;
    return typeof lost === 'number' ? asPercent(lost) : null;
  }),
  ofRow('True cost', ['calibration'], ({ trueCostsUs, faults }) =>
    trueCostsUs && faults.length === 0 ? asUs(mean(trueCostsUs)) : null,
  ),
  ofRow('Measured', ['calibration'], ({ change }) => change.cpuUs && intervalText(US, change.cpuUs.estimate)),
  ofRow('Error', ['calibration'], ({ costError }) => costError && intervalText(US, costError)),
  ofRow('Covered', ['calibration'], ({ costError }) =>
    costError && isBounded(costError) ? (holdsZero(costError) ? 'yes' : 'no') : null,
  ),
  column('Mean latency', ['load'], MS, ({ figures }) => figures?.latencyUs?.mean),
  column('p50', ['rate', 'load'], MS, ({ figures }) => figures?.latencyUs?.p50),
  column('p90', ['rate'], MS, ({ figures }) => figures?.latencyUs?.p90),
  column('p95', ['load'], MS, ({ figures }) => figures?.latencyUs?.p95),
  column('p99', ['rate', 'load'], MS, ({ figures }) => figures?.latencyUs?.p99),
  ofRow('Change of p99', ['rate'], ({ change }) => change.p99Us && intervalText(MS, change.p99Us.estimate)),
  column('p99.9', ['rate'], MS, ({ figures }) => figures?.latencyUs?.p999),
  column('Max', ['load'], MS, ({ figures }) => figures?.latencyUs?.max),
  column('Requests', ['load'], ['/s', 1], ({ figures }) => figures?.throughput),
  column('Core busy', ['load'], PERCENT, ({ figures }) => figures?.busyShare),
  ofRow('Pairs', ['load'], ({ pairs }) => String(pairs.filter(isValid).length)),
  column('CPU user per request', ['resources'], US, ({ figures }) => figures?.resources?.cpuUserUs),
  column('CPU system per request', ['resources'], US, ({ figures }) => figures?.resources?.cpuSystemUs),
  column('Memory', ['resources'], MIB, ({ figures }) => figures?.memoryBytes),
  column('Event-loop delay p99', ['resources'], MS, ({ figures }) => figures?.resources?.eventLoopDelayUs),
  column('Spans lost', ['resources'], PERCENT, ({ figures }) => figures?.exported?.lostShare),
];

/** A figure of each server; of scenarios their change, if one is named. */
function column(heading: string, parts: Part[], scale: Scale, read: Read, change?: Change): Column {
  const cell: Column['cell'] = (server) => {
    if (change && 'change' in server) {
      const interval = change(server);
      return interval ? intervalText(scale, interval) : null;
    }
    const value = (read(server) ?? Number.NaN) / scale[1];
    return Number.isFinite(value) ? figureText(value, scale[0]) : null;
  };
  return { heading, parts, cell };
}

type Change = (row: Row) => Interval | null | undefined;
function changeOf(quantity: Quantity): Change {
  return ({ change }) => change[quantity]?.estimate;
}

/** Of scenarios alone. */
function ofRow(heading: string, parts: Part[], cell: (row: Row) => string | null): Column {
  return { heading, parts, cell: (server) => ('change' in server ? cell(server) : null) };
}

/** CPU per request in the unit of who plans: what the baseline takes of a core, and what a scenario adds. */
function shareOfCore(server: Row | Baseline): string | null {
  if (!('change' in server)) return server.figures?.cpuUs ? `${asNumber(server.figures.cpuUs * CORE_PERCENT)} %` : null;
  const cost = server.change.cpuUs?.estimate;
  if (!cost) return null;
  return isInsignificant(cost) ? 'n.s.' : `${signed(cost.value * CORE_PERCENT)} %`;
}
