import { sum } from 'simple-statistics';
import { changeBetweenRows, MIN_PAIRS } from './compare-estimates.ts';
import { dividedBy, holdsZero, type Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import type { Row, TaskAnalysis } from './rows.ts';

/**
 * Two products that stand next to each other in a table, the cheaper one first. `apart`: the second
 * surely takes more. `alike`: what they take surely differs by less than `ALIKE_SHARE`. `unclear`:
 * neither is known.
 */
export interface Neighbours {
  kind: 'apart' | 'alike' | 'unclear';
  first: Row;
  second: Row;
  /** How much more CPU per request the second takes, as a share of all that the first takes. */
  difference: Interval;
}

/** By how much two may differ that are called alike. */
export const ALIKE_SHARE = 0.1;

/** A row whose CPU per request is known. */
interface KnownRow {
  row: Row;
  cost: Estimate;
}

/**
 * Returns each two of the rows that stand next to each other once they are sorted by their cost.
 * Their intervals hold together with those of any two rows of the run: which of them are neighbours
 * is told by the same pairs.
 * @param isComparable whether a row counts; its neighbours are next to each other if it does not
 */
export function neighboursOf(
  tasks: readonly TaskAnalysis[],
  isComparable: (row: Row) => boolean,
): Neighbours[] {
  const rowsOfTasks = tasks.map((task) => knownRowsOf(task.rows.filter(isComparable)));
  const pairsOfRows = sum(rowsOfTasks.map(({ length }) => (length * (length - 1)) / 2));
  return rowsOfTasks.flatMap((rows) =>
    rows.slice(1).map((second, at) => compared(rows[at] as KnownRow, second, pairsOfRows)),
  );
}

/** Returns those with enough pairs to be compared with each other, the cheapest first. */
function knownRowsOf(rows: readonly Row[]): KnownRow[] {
  return rows
    .filter(({ pairs }) => pairs.length >= MIN_PAIRS)
    .flatMap((row) => (row.change.cpuUs ? { row, cost: row.change.cpuUs } : []))
    .toSorted((one, other) => one.cost.value - other.cost.value);
}

function compared(first: KnownRow, second: KnownRow, pairsOfRows: number): Neighbours {
  const changeUs = changeBetweenRows(first.cost, second.cost, pairsOfRows);
  const difference = dividedBy(changeUs, first.cost.baseline + first.cost.value);
  return { kind: kindOf(difference), first: first.row, second: second.row, difference };
}

function kindOf(difference: Interval): Neighbours['kind'] {
  if (!holdsZero(difference)) return 'apart';
  const most = Math.max(-difference.low, difference.high);
  return most <= ALIKE_SHARE ? 'alike' : 'unclear';
}
