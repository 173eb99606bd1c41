import type { Pair, Side } from '../../result/schema.ts';
import { asPercent } from '../../words/units.ts';
import { countLogRecords, countSpans, lostShareOf, type RecordCounts } from '../lost-records.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** If more were dropped, a server did less work than it claims. */
const DROPPED_SHARE = 0.001;

/** By less than this, the shares of the same code differ from one hour to the next. */
const UNLIKE_SHARE = 0.01;

/** What a server may drop, and how it is counted. */
interface Droppable {
  name: string;
  count: (pairs: readonly Pair[], side: Side) => RecordCounts;
}

const DROPPABLES: readonly Droppable[] = [
  { name: 'spans', count: countSpans },
  { name: 'log records', count: countLogRecords },
];

/** What a loss of a server makes of the cost, and whose records are lost. */
const LOSSES: Record<Side, { effect: string; whose: string }> = {
  baseline: { effect: 'the cost reads too high', whose: "the baseline's" },
  scenario: { effect: 'the cost reads too low', whose: 'its' },
};

/** Spans or log records that a server was to send under load, and that never arrived. */
export function findDroppedSpans({ tasks }: MeasuredRun): Finding[] {
  return validRows(tasks).flatMap((row) =>
    DROPPABLES.flatMap((what) => [
      ...(row.receiver === undefined ? dropped(row, what, 'scenario') : []),
      ...dropped(row, what, 'baseline'),
    ]),
  );
}

/** Returns whether a row costs more than it reads, since its scenario did not send all it has. */
export function losesRecords(row: Row): boolean {
  // Of a receiver in trouble, the table says what is lost.
  if (row.receiver !== undefined) return false;
  return DROPPABLES.some(({ count }) => droppedShare(count(row.pairs, 'scenario')) > 0);
}

/** Returns whether a row costs less than it reads, since its baseline did not send all it has. */
export function readsTooHigh({ pairs }: Row): boolean {
  return DROPPABLES.some(({ count }) => droppedShare(count(pairs, 'baseline')) > 0);
}

/** Returns whether most pairs lost more of the scenario's records than of the baseline's. */
export function losesMoreThanBaseline({ pairs, receiver }: Row): boolean {
  if (receiver !== undefined) return false;
  return DROPPABLES.some(({ count }) => {
    const losing = pairs.filter((pair) =>
      isMoreLost(count([pair], 'scenario'), count([pair], 'baseline')),
    );
    return losing.length > pairs.length / 2;
  });
}

/** Returns whether a row lost more of its records than it did before. */
export function losesMoreThanBefore(before: Row, now: Row): boolean {
  if (now.receiver !== undefined) return false;
  return DROPPABLES.some(({ count }) =>
    isMoreLost(count(now.pairs, 'scenario'), count(before.pairs, 'scenario')),
  );
}

function isMoreLost(some: RecordCounts, others: RecordCounts): boolean {
  return droppedShare(some) > droppedShare(others) + UNLIKE_SHARE;
}

function dropped(row: Row, { name, count }: Droppable, side: Side): Finding[] {
  const share = droppedShare(count(row.pairs, side));
  if (share === 0) return [];
  const { effect, whose } = LOSSES[side];
  const text = `${row.label}: ${effect}: ${asPercent(share)} of ${whose} ${name} never arrived`;
  return [
    finding(text, 'Use a larger buffer, or an exporter that keeps up', row, `${effect}: ${name}`),
  ];
}

/** Returns the share of the records that was lost; 0 if that is so little that it does not matter. */
function droppedShare(counts: RecordCounts): number {
  const share = lostShareOf(counts) ?? 0;
  return share > DROPPED_SHARE ? share : 0;
}
