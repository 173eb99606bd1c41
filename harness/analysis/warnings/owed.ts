import { median, sum } from 'simple-statistics';
import { OWED_SHARE } from '../../pair/rest.ts';
import type { Pair, Side } from '../../result/schema.ts';
import { asPercent, asUs, roundedDown } from '../../words/units.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** What one server of a row did after its last request, in the median of the pairs. */
interface Owed {
  /** The share of a core beyond what it did before it had requests. */
  share: number;
  /** What that comes to, in µs of CPU per request, if it did no more of it under load. */
  leastUs: number;
}

/**
 * Servers that were still at work on their requests when the load had ended: what they had put off
 * is no part of the cost.
 */
export function findOwedWork({ tasks }: MeasuredRun): Finding[] {
  return validRows(tasks).flatMap((row) => [
    ...owedBy(row, 'scenario', 'the cost reads too low', 'it'),
    ...owedBy(row, 'baseline', 'the cost reads too high', 'the baseline'),
  ]);
}

/** Returns whether a row costs more than it reads, since its scenario put off part of its work. */
export function putsOffWork({ pairs }: Row): boolean {
  return owedShareOf(pairs, 'scenario') >= OWED_SHARE;
}

/** Returns whether the scenario of a row put off more of its work than the baseline. */
export function putsOffMoreThanBaseline({ pairs }: Row): boolean {
  return owedShareOf(pairs, 'scenario') - owedShareOf(pairs, 'baseline') >= OWED_SHARE;
}

/** Returns whether the scenario of a row put off more of its work than it did before. */
export function putsOffMoreThanBefore(before: Row, now: Row): boolean {
  return owedShareOf(now.pairs, 'scenario') - owedShareOf(before.pairs, 'scenario') >= OWED_SHARE;
}

/** Returns 0 if no pair tells, or if the server did more before its load: it was still starting. */
function owedShareOf(pairs: readonly Pair[], side: Side): number {
  return Math.max(0, owedIn(pairs, side)?.share ?? 0);
}

function owedBy(row: Row, side: Side, effect: string, who: string): Finding[] {
  const owed = owedIn(row.pairs, side);
  if (owed === null || owed.share < OWED_SHARE) return [];
  const seen = `${who} was still at work after its last request (${asPercent(owed.share)} of a core)`;
  const bound = side === 'scenario' ? leastCostText(row, owed) : putOffText(owed);
  return [
    finding(
      `${row.label}: ${effect}: ${seen}, ${bound}`,
      'Measure at a rate that it can keep up with (--rate)',
      row,
      effect,
    ),
  ];
}

/**
 * Either bound holds: what it put off was counted as long as somebody waited for it to rest, so the
 * two have a part in common.
 */
function leastCostText({ change }: Row, { leastUs }: Owed): string {
  const us = Math.max(leastUs, change.cpuUs?.low ?? 0);
  return `so a request costs at least ${roundedDown(us)} µs`;
}

function putOffText({ leastUs }: Owed): string {
  return `which is ${asUs(leastUs)} for each of its requests, or more`;
}

/** Returns null if no pair tells. */
function owedIn(pairs: readonly Pair[], side: Side): Owed | null {
  const each = pairs.flatMap((pair) => owedInPair(pair, side) ?? []);
  if (each.length === 0) return null;
  // A burst by the clock may fall into the look of one pair.
  return {
    share: median(each.map(({ share }) => share)),
    leastUs: median(each.map(({ leastUs }) => leastUs)),
  };
}

function owedInPair({ restingShares, alternating }: Pair, side: Side): Owed | null {
  const before = restingShares?.beforeLoad[side] ?? null;
  const after = restingShares?.afterLoad[side] ?? null;
  if (before === null || after === null || alternating.length === 0) return null;
  const share = after - before;
  const seconds = sum(alternating.map((slice) => slice[side].seconds));
  const requests = sum(alternating.map((slice) => slice[side].requests));
  return { share, leastUs: (share * seconds * 1e6) / requests };
}
