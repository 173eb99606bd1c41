import type { Row } from './rows.ts';
import {
  losesMoreThanBaseline,
  losesMoreThanBefore,
  losesRecords,
} from './warnings/dropped-spans.ts';
import { putsOffMoreThanBaseline, putsOffMoreThanBefore, putsOffWork } from './warnings/owed.ts';

/**
 * Why a cost is surely more than it reads: spans or log records never arrived, or the server was
 * still at work when the load had ended.
 */
export type TooLowReason = 'records-lost' | 'work-put-off';

/** Returns why the cost of a row reads too low; null if nothing says so. */
export function whyTooLow(row: Row): TooLowReason | null {
  return reasonOf(losesRecords(row), putsOffWork(row));
}

/** Returns why a row of two revisions reads too low: beside the old one, which is its baseline. */
export function whyTooLowBesideBaseline(row: Row): TooLowReason | null {
  return reasonOf(losesMoreThanBaseline(row), putsOffMoreThanBaseline(row));
}

/** Returns why the change of a row since another result reads too low. */
export function whyTooLowSince(before: Row, now: Row): TooLowReason | null {
  return reasonOf(losesMoreThanBefore(before, now), putsOffMoreThanBefore(before, now));
}

function reasonOf(losesMore: boolean, putsOffMore: boolean): TooLowReason | null {
  if (losesMore) return 'records-lost';
  return putsOffMore ? 'work-put-off' : null;
}
