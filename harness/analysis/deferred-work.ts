import { median } from 'simple-statistics';
import { DEFERRED_SHARE } from '../pair/rest.ts';
import { otherSide } from '../pair/sides.ts';
import type { Pair, Side } from '../result/schema.ts';
import type { Row } from './rows.ts';
import { totalOf } from './slice-totals.ts';

/*
 * Work on requests that a server had not done when its load had ended: it is no part of the cost.
 * Warnings and verdicts ask here.
 */

/** What one server of a row did after its last request, in the median of the pairs. */
export interface DeferredWork {
  /** The share of a core beyond what it did before it had requests. */
  share: number;
  /** What that comes to, in µs of CPU per request, if it did no more of it under load. */
  leastUs: number;
}

/** Returns what the server of a row on that side deferred; null if it did not, or no pair tells. */
export function deferredWorkOf({ pairs }: Row, side: Side): DeferredWork | null {
  const work = workAfterLoad(pairs, side);
  return work !== null && work.share >= DEFERRED_SHARE ? work : null;
}

/** Returns whether the server of a row on that side deferred part of its work. */
export function defersWork(row: Row, side: Side): boolean {
  return deferredWorkOf(row, side) !== null;
}

/** Returns whether the server of a row on that side deferred more work than the other one. */
export function defersMoreThanOther({ pairs }: Row, side: Side): boolean {
  return isMoreDeferred(shareAfterLoad(pairs, side), shareAfterLoad(pairs, otherSide(side)));
}

/** Returns whether the scenario of a row deferred more than that of the row of another result. */
export function defersMoreThan(row: Row, other: Row): boolean {
  return isMoreDeferred(
    shareAfterLoad(row.pairs, 'scenario'),
    shareAfterLoad(other.pairs, 'scenario'),
  );
}

function isMoreDeferred(share: number, otherShare: number): boolean {
  return share - otherShare >= DEFERRED_SHARE;
}

/** Returns 0 if no pair tells, or if the server did more before its load: it was still starting. */
function shareAfterLoad(pairs: readonly Pair[], side: Side): number {
  return Math.max(0, workAfterLoad(pairs, side)?.share ?? 0);
}

/** Returns null if no pair tells. */
function workAfterLoad(pairs: readonly Pair[], side: Side): DeferredWork | null {
  const each = pairs.flatMap((pair) => workAfterLoadIn(pair, side) ?? []);
  if (each.length === 0) return null;
  // A burst by the clock may fall into the look of one pair.
  return {
    share: median(each.map(({ share }) => share)),
    leastUs: median(each.map(({ leastUs }) => leastUs)),
  };
}

function workAfterLoadIn({ restingShares, alternating }: Pair, side: Side): DeferredWork | null {
  const before = restingShares?.beforeLoad[side] ?? null;
  const after = restingShares?.afterLoad[side] ?? null;
  if (before === null || after === null || alternating.length === 0) return null;
  const share = after - before;
  const seconds = totalOf(alternating, side, 'seconds');
  const requests = totalOf(alternating, side, 'requests');
  return { share, leastUs: (share * seconds * 1e6) / requests };
}
