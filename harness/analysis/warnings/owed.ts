import type { Side } from '../../result/schema.ts';
import { capitalized } from '../../words/text.ts';
import { asPercent, asUs, roundedDown } from '../../words/units.ts';
import { type DeferredWork, deferredWorkOf, defersWork } from '../deferred-work.ts';
import { MISREADING_EFFECTS, MISREADING_REMEDIES } from '../misreading.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/**
 * Servers that were still at work on their requests when the load had ended: what they had put off
 * is no part of the cost.
 */
export function findDeferredWork({ tasks }: MeasuredRun): Finding[] {
  return validRows(tasks).flatMap((row) => [
    ...deferredBy(row, 'scenario', 'it'),
    ...deferredBy(row, 'baseline', 'the baseline'),
  ]);
}

function deferredBy(row: Row, side: Side, who: string): Finding[] {
  const work = deferredWorkOf(row, side);
  if (work === null) return [];
  const effect = MISREADING_EFFECTS[side];
  const seen = `${who} was still at work after its last request (${asPercent(work.share)} of a core)`;
  const bound = side === 'scenario' ? leastCostText(row, work) : perRequestText(work);
  return [
    finding(
      `${row.label}: ${effect}: ${seen}${bound}`,
      capitalized(MISREADING_REMEDIES['work-put-off']),
      row,
      effect,
    ),
  ];
}

/**
 * Either bound holds: what it put off was counted as long as somebody waited for it to rest, so the
 * two have a part in common. Neither holds if the baseline put off work, too: nobody knows how much
 * of it to take off.
 */
function leastCostText(row: Row, { leastUs }: DeferredWork): string {
  if (defersWork(row, 'baseline')) return '';
  const us = Math.max(leastUs, row.change.cpuUs?.low ?? 0);
  return `, so a request costs at least ${roundedDown(us)} µs`;
}

function perRequestText({ leastUs }: DeferredWork): string {
  return `, which is ${asUs(leastUs)} for each of its requests, or more`;
}
