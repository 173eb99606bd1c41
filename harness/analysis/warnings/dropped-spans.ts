import type { Pair, Side } from '../../result/schema.ts';
import { asPercent } from '../../words/units.ts';
import { countSpans } from '../figures.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** If more spans were dropped, a server did less work than it claims. */
const DROPPED_SHARE = 0.001;
/** Chance alone samples so many standard deviations too few in one of three million rows. */
const DROPPED_DEVIATIONS = 5;

/** Spans that a server was to send under load, and that never arrived. */
export function findDroppedSpans({ tasks }: MeasuredRun): Finding[] {
  return validRows(tasks).flatMap((row) => [
    ...(readsTooLow(row) ? dropped(row, 'scenario', 'the cost reads too low', 'its') : []),
    ...dropped(row, 'baseline', 'the cost reads too high', "the baseline's"),
  ]);
}

/** Returns whether a row costs more than it reads, since its scenario did not send all its spans. */
export function readsTooLow(row: Row): boolean {
  // Of a receiver in trouble, the table says what is lost.
  return row.receiver === undefined && droppedShare(row.pairs, 'scenario') > 0;
}

function dropped(row: Row, side: Side, effect: string, whose: string): Finding[] {
  const share = droppedShare(row.pairs, side);
  if (share === 0) return [];
  const text = `${row.label}: ${effect}: ${asPercent(share)} of ${whose} spans never arrived`;
  return [finding(text, 'Use a larger buffer, or an exporter that keeps up', row)];
}

/**
 * The share of expected spans that never arrived; 0 if that is so little that it does not matter,
 * or may be chance.
 */
function droppedShare(pairs: Pair[], side: Side): number {
  const { expected, received, deviation } = countSpans(pairs, side);
  const harmless = Math.max(DROPPED_SHARE * expected, DROPPED_DEVIATIONS * deviation);
  return expected - received > harmless ? (expected - received) / expected : 0;
}
