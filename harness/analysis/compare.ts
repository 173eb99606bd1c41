import { changeAtOldSpeed, MIN_PAIRS } from './compare-estimates.ts';
import { dividedBy, type Interval } from './interval.ts';
import { type Misreading, misreadingSince } from './misreading.ts';
import { type MeasuredRun, type Row, rowKeyOf } from './rows.ts';
import { sliceKindText, unlikeKindsOf } from './slices.ts';

/** What became of what one row costs, or why that can't be told. */
export type Comparison =
  | { title: string; cost: CostChange; missing: null }
  | ({ title: string; cost: null } & Missing);

/** Why something can't be told. */
export interface Missing {
  missing: string;
  /** How many pairs there are, if more of them are all that is missing. */
  tooFewPairs?: number;
  /** How many pairs like these would tell it, if too few answers stand behind them. */
  pairsNeeded?: number;
}

/** Old and new figures of a row, in µs a request. */
export interface CostChange extends Misreading {
  oldUs: number;
  newUs: number;
  /** New minus old; of two results, at the speed that the machine had in the old one. */
  changeUs: Interval;
  /** All that a request took before. */
  totalUs: number;
  /** The change as a part of that. */
  relative: Interval;
  /** How many pairs tell it; of two results, the fewer. */
  pairs: number;
}

/** A run as far as its rows are compared. */
export type ComparedRun = Pick<MeasuredRun, 'header' | 'tasks'>;

/**
 * What is compared, and can be limited: CPU time of the server, or the 99th percentile of latency.
 */
export type ComparedQuantity = 'cpuUs' | 'p99Us';

/** Of which of two results a reason tells; `this` if there is only one. */
type Which = 'the old' | 'the new' | 'this';

/** A row that is in either of two results, or in both. */
interface RowOfBoth {
  title: string;
  old: Row | undefined;
  current: Row | undefined;
  /** Null if the two can be compared. */
  missing: Missing | null;
}

/**
 * Returns one comparison of CPU time for each row of either result: of the new one first, then of
 * those that only the old one has, and of what was skipped.
 */
export function compareRuns(old: ComparedRun, current: ComparedRun): Comparison[] {
  const rows = rowsOfBoth(old, current);
  const comparable = rows.filter(({ missing }) => missing === null).length;
  const compared = rows.map((row) => compareRow(row, comparable));
  // What the old result has is missing already.
  const oldTitles = new Set(rows.flatMap((row) => row.old?.title ?? []));
  const skipped = skippedOf(current).filter(({ title }) => !oldTitles.has(title));
  return [...compared, ...skipped];
}

function rowsOfBoth(old: ComparedRun, current: ComparedRun): RowOfBoth[] {
  const oldRows = rowsByName(old);
  const currentRows = rowsByName(current);
  const names = new Set([...currentRows.keys(), ...oldRows.keys()]);
  return [...names].map((name) => {
    const [before, now] = [oldRows.get(name), currentRows.get(name)];
    return {
      title: now?.label ?? before?.label ?? name,
      old: before,
      current: now,
      missing: graverOf(
        whyNotComparable(before, 'the old'),
        whyNotComparable(now, 'the new'),
        whyUnlike(before, now),
      ),
    };
  });
}

/** Null if their CPU is of slices of one kind. */
function whyUnlike(old: Row | undefined, current: Row | undefined): Missing | null {
  const kinds = unlikeKindsOf(old?.pairs ?? [], current?.pairs ?? []);
  if (kinds === null) return null;
  const [before, now] = kinds;
  return {
    missing: `its CPU is of ${sliceKindText(before)} in the old result, and of ${sliceKindText(now)} in the new one`,
  };
}

/** Returns the first reason that more pairs would not mend; else the first that there is. */
function graverOf(...reasons: (Missing | null)[]): Missing | null {
  const found = reasons.filter((reason) => reason !== null);
  return found.find(({ tooFewPairs }) => tooFewPairs === undefined) ?? found[0] ?? null;
}

/** The interval holds together with those of all `comparable` rows. */
function compareRow({ title, old, current, missing }: RowOfBoth, comparable: number): Comparison {
  if (missing !== null) return { title, cost: null, ...missing };
  if (!old?.change.cpuUs || !current?.change.cpuUs)
    return { title, cost: null, missing: NOT_MEASURED.cpuUs };
  const [oldCost, newCost] = [old.change.cpuUs, current.change.cpuUs];
  const changeUs = changeAtOldSpeed(oldCost, newCost, comparable);
  const totalUs = oldCost.baseline + oldCost.value;
  const cost = {
    oldUs: oldCost.value,
    newUs: newCost.value,
    ...changeOf(totalUs, changeUs),
    pairs: Math.min(oldCost.n, newCost.n),
    ...misreadingSince(old, current),
  };
  return { title, cost, missing: null };
}

/** Why there is no cost of a row that has pairs enough. */
export const NOT_MEASURED: Record<ComparedQuantity, string> = {
  cpuUs: 'its CPU per request was not measured',
  p99Us: 'its p99 was not measured, or by too few answers',
};

/** Returns what a run skipped, with the reason. */
export function skippedOf({ header }: ComparedRun): Comparison[] {
  return header.suite.skipped.map(({ scenario, fault }) => {
    return { title: scenario, cost: null, missing: fault.what };
  });
}

/**
 * Returns a change with what it is a part of. The error of the total is left out: it is far smaller
 * than that of the change.
 */
export function changeOf(
  totalUs: number,
  changeUs: Interval,
): Pick<CostChange, 'totalUs' | 'changeUs' | 'relative'> {
  return { totalUs, changeUs, relative: dividedBy(changeUs, totalUs) };
}

function rowsByName({ tasks }: ComparedRun): Map<string, Row> {
  const rows = tasks.flatMap((task) => task.rows);
  return new Map(rows.map((row) => [rowKeyOf(row), row]));
}

/** Returns why a row can't be compared, or judged; null if it can. */
export function whyNotComparable(row: Row | undefined, which: Which): Missing | null {
  if (!row) return { missing: `not in ${which} result` };
  if (row.faults[0]) return { missing: `invalid in ${which} result: ${row.faults[0].what}` };
  const pairs = row.pairs.length;
  return pairs < MIN_PAIRS
    ? { missing: `fewer than ${MIN_PAIRS} pairs in ${which} result`, tooFewPairs: pairs }
    : null;
}
