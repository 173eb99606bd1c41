import { defersMoreThan, defersMoreThanOther, defersWork } from './deferred-work.ts';
import { losesMoreThan, losesMoreThanOther, losesRecords } from './lost-records.ts';
import type { Row } from './rows.ts';

/**
 * Why a cost is surely more than it reads: spans or log records never arrived, or the server was
 * still at work when the load had ended.
 */
export type TooLowReason = 'records-lost' | 'work-put-off';

/** Returns why the cost of a row reads too low; null if nothing says so. */
export function whyTooLow(row: Row): TooLowReason | null {
  return reasonOf(losesRecords(row, 'scenario'), defersWork(row, 'scenario'));
}

/** Returns why a row of two revisions reads too low: beside the old one, which is its baseline. */
export function whyTooLowBesideBaseline(row: Row): TooLowReason | null {
  return reasonOf(losesMoreThanOther(row, 'scenario'), defersMoreThanOther(row, 'scenario'));
}

/** Returns why the change of a row since another result reads too low. */
export function whyTooLowSince(before: Row, now: Row): TooLowReason | null {
  return reasonOf(losesMoreThan(now, before), defersMoreThan(now, before));
}

function reasonOf(losesMore: boolean, defersMore: boolean): TooLowReason | null {
  if (losesMore) return 'records-lost';
  return defersMore ? 'work-put-off' : null;
}
