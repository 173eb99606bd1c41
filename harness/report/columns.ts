import { mean } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import type { Figures, Quantity } from '../analysis/figures.ts';
import { holdsZero, type Interval, isBounded } from '../analysis/interval.ts';
import { isValid, type Row } from '../analysis/rows.ts';
import { asNumber, figureText, signed } from '../words/units.ts';
import { intervalText, MIB, MS, PERCENT, type Scale, US } from './cells.ts';

/** The form of the first table: a matrix is of CPU time in several tasks with the same scenarios. */
export type Form = 'docs' | 'calibration' | 'rate' | 'matrix';

/** Chosen once for all of a report. */
export function formOf({ tasks }: Run): Form {
  const rows = tasks.flatMap((task) => task.rows);
  if (rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null))
    return 'calibration';
  if (rows.length > 0 && tasks.every(({ rate }) => rate !== null)) return 'rate';
  const keys = tasks.map(({ baseline, rows }) =>
    JSON.stringify([baseline, ...rows].map(({ scenario }) => scenario)),
  );
  const hasCpu = rows.some(({ change }) => change.cpuUs);
  return tasks.length > 1 && hasCpu && new Set(keys).size === 1 ? 'matrix' : 'docs';
}

/** The tables that list scenarios. */
export type Part = 'docs' | 'footprint' | 'rate' | 'calibration' | 'load' | 'resources';

/** A row, a baseline, which has less, or nothing of what was skipped. */
export type Server = Partial<Row>;

/** A column of some of the tables. Nothing or an empty text for what was not measured. */
export interface Column {
  heading: string;
  parts: Part[];
  cell: (server: Server) => string | null | undefined;
}

/** At 1,000 requests a second 1 µs for each is a thousandth of a core. */
const CORE_PERCENT = 0.1;
const EXPORTING: Part[] = ['footprint', 'resources'];

/** All there are. Tables show them in this order; what nobody measured is left out. */
export const COLUMNS: Column[] = [
  column('Change per request', ['docs'], MS, cost('latencyUs')),
  column('Server CPU per request', ['docs', 'rate'], US, cost('cpuUs')),
  { heading: 'Share of one core at 1,000/s', parts: ['docs'], cell: shareOfCore },
  column('Memory', ['footprint'], MIB, cost('memoryBytes')),
  column('Start-up', ['footprint'], ['ms', 1], ({ change, footprint }) =>
    change ? footprint?.startUpChangeMs : footprint?.startUpMs,
  ),
  column(
    'CPU without requests',
    ['footprint'],
    ['ms/s', 1],
    ({ footprint }) => footprint?.standingMsPerSecond,
  ),
  column('Exported per 1,000 requests', EXPORTING, ['KiB', 1.024], 'bytesPerRequest'),
  column('Exports per 1,000 requests', EXPORTING, ['', 1e-3], 'exportsPerRequest'),
  column('Spans lost', ['docs'], PERCENT, ({ receiver, figures }) =>
    receiver ? figures?.lostShare : null,
  ),
  column('True cost', ['calibration'], US, ({ trueCostsUs, faults }) =>
    trueCostsUs?.length && !faults?.length ? mean(trueCostsUs) : null,
  ),
  column('Measured', ['calibration'], US, cost('cpuUs')),
  column('Error', ['calibration'], US, ({ costError }) => costError),
  { heading: 'Covered', parts: ['calibration'], cell: covered },
  column('Mean latency', ['load'], MS, 'latencyUs'),
  column('p50', ['rate', 'load'], MS, 'p50Us'),
  column('p90', ['rate'], MS, 'p90Us'),
  column('p95', ['load'], MS, 'p95Us'),
  column('p99', ['rate', 'load'], MS, 'p99Us'),
  column('Change of p99', ['rate'], MS, ({ change }) => change?.p99Us),
  column('p99.9', ['rate'], MS, 'p999Us'),
  column('Max', ['load'], MS, 'maxUs'),
  column('Requests', ['load'], ['/s', 1], 'throughput'),
  column('Core busy', ['load'], PERCENT, 'busyShare'),
  {
    heading: 'Pairs',
    parts: ['load'],
    cell: ({ pairs }) => pairs && `${pairs.filter(isValid).length}`,
  },
  column('Memory', ['resources'], MIB, 'memoryBytes'),
  column('Event-loop delay p99', ['resources'], MS, 'eventLoopDelayUs'),
  column('Spans lost', ['resources'], PERCENT, 'lostShare'),
];

type Read = (server: Server) => number | Interval | null | undefined;

/** A figure of the server, or what is read of it: also a change, with its interval. */
function column(
  heading: string,
  parts: Part[],
  [unit, size]: Scale,
  of: keyof Figures | Read,
): Column {
  const cell = (server: Server) => {
    const found = typeof of === 'string' ? server.figures?.[of] : of(server);
    return typeof found === 'number'
      ? figureText(found / size, unit)
      : found && intervalText([unit, size], found);
  };
  return { heading, parts, cell };
}

/** What a scenario takes more than the baseline, and of that what it takes. */
function cost(of: Quantity): Read {
  return ({ change, figures }) => (change ? change[of] : figures?.[of]);
}

function covered({ costError }: Server): string | null {
  if (!costError || !isBounded(costError)) return null;
  return holdsZero(costError) ? 'yes' : 'no';
}

/** CPU per request in the unit of who plans: what the baseline takes of a core, and what a scenario adds. */
function shareOfCore({ change, figures }: Server): string | null | undefined {
  if (!change) return figures?.cpuUs ? `${asNumber(figures.cpuUs * CORE_PERCENT)} %` : null;
  const cost = change.cpuUs;
  return (
    cost && (isBounded(cost) && holdsZero(cost) ? 'n.s.' : `${signed(cost.value * CORE_PERCENT)} %`)
  );
}
