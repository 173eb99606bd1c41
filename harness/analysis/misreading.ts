import type { Side } from '../result/schema.ts';
import { defersMoreThan, defersMoreThanOther, defersWork } from './deferred-work.ts';
import { losesMoreThan, losesMoreThanOther, losesRecords } from './lost-records.ts';
import type { Row } from './rows.ts';

/**
 * Why a cost is surely not what it reads: spans or log records of a server never arrived, or it was
 * still at work when the load had ended.
 */
export type MisreadReason = 'records-lost' | 'work-put-off';

/** What a user does about each. */
export const MISREADING_REMEDIES: Record<MisreadReason, string> = {
  'records-lost': 'use a larger buffer, or an exporter that keeps up',
  'work-put-off': 'measure at a rate that it can keep up with (--rate)',
};

/** What it does to a cost if that is about the server on this side. */
export const MISREADING_EFFECTS: Record<Side, string> = {
  scenario: 'the cost reads too low',
  baseline: 'the cost reads too high',
};

/**
 * Why a cost, or the change of one, is surely not what it reads. If there is a reason for either,
 * nobody knows whether it is more or less.
 */
export interface Misreading {
  /** Why it is surely more than it reads; null if nothing says so. */
  tooLowBecause: MisreadReason | null;
  /** Why it is surely less: the server that it is held against took more than it seems. */
  tooHighBecause: MisreadReason | null;
}

export const NOT_MISREAD: Misreading = { tooLowBecause: null, tooHighBecause: null };

/** Returns why the cost of a row reads too low; null if nothing says so. */
export function whyTooLow(row: Row): MisreadReason | null {
  return reasonOf(losesRecords(row, 'scenario'), defersWork(row, 'scenario'));
}

/** Returns why the cost of a row is not what it reads. */
export function misreadingOf(row: Row): Misreading {
  return {
    tooLowBecause: whyTooLow(row),
    tooHighBecause: reasonOf(losesRecords(row, 'baseline'), defersWork(row, 'baseline')),
  };
}

/** Returns why a row of two revisions is not what it reads beside the old one, its baseline. */
export function misreadingOfRevision(row: Row): Misreading {
  return {
    tooLowBecause: reasonOf(
      losesMoreThanOther(row, 'scenario'),
      defersMoreThanOther(row, 'scenario'),
    ),
    tooHighBecause: reasonOf(
      losesMoreThanOther(row, 'baseline'),
      defersMoreThanOther(row, 'baseline'),
    ),
  };
}

/** Returns why the change of a row since another result is not what it reads. */
export function misreadingSince(before: Row, now: Row): Misreading {
  return {
    tooLowBecause: reasonOf(losesMoreThan(now, before), defersMoreThan(now, before)),
    tooHighBecause: reasonOf(losesMoreThan(before, now), defersMoreThan(before, now)),
  };
}

function reasonOf(isLossy: boolean, isDeferring: boolean): MisreadReason | null {
  if (isLossy) return 'records-lost';
  return isDeferring ? 'work-put-off' : null;
}
