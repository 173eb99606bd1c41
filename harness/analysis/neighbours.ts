import { sum } from 'simple-statistics';
import { changeBetweenRows, MIN_PAIRS } from './compare-estimates.ts';
import { dividedBy, holdsZero, type Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import { hasFootprint, type Row, type TaskAnalysis } from './rows.ts';

/**
 * How two costs stand to each other. `apart`: the second is surely more. `alike`: what a request
 * takes surely differs by less than `ALIKE_SHARE`. `unclear`: neither is known.
 */
export interface Standing {
  kind: 'apart' | 'alike' | 'unclear';
  /** How much more CPU per request the second takes, as a share of all that the first takes. */
  difference: Interval;
  /** All that a request takes of the first, in µs. */
  firstUs: number;
}

/** Two things whose costs stand next to each other, the cheaper one first. */
interface Adjacent<Thing> extends Standing {
  first: Thing;
  second: Thing;
}

/** Two rows that stand next to each other in a table of products. */
export type Neighbours = Adjacent<Row>;

/** By how much two may differ that are called alike. */
export const ALIKE_SHARE = 0.1;

/** A row whose CPU per request is known. */
interface KnownRow {
  row: Row;
  cost: Estimate;
}

/**
 * Returns each two products of a run that stand next to each other; none if it has no products.
 * @param isComparable whether a row counts; its neighbours are next to each other if it does not
 */
export function productNeighbours(
  run: { tasks: TaskAnalysis[] },
  isComparable: (row: Row) => boolean,
): Neighbours[] {
  return hasFootprint(run) ? neighboursOf(run.tasks, isComparable) : [];
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
  const pairsOfRows = sum(rowsOfTasks.map(({ length }) => pairsAmong(length)));
  return rowsOfTasks.flatMap((rows) =>
    adjacentIn(rows, pairsOfRows).map(({ first, second, ...standing }) => ({
      ...standing,
      first: first.row,
      second: second.row,
    })),
  );
}

/** Returns how many pairs can be made of so many things. */
export function pairsAmong(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Returns those with enough pairs to be compared with each other. */
function knownRowsOf(rows: readonly Row[]): KnownRow[] {
  return rows
    .filter(({ pairs }) => pairs.length >= MIN_PAIRS)
    .flatMap((row) => (row.change.cpuUs ? { row, cost: row.change.cpuUs } : []));
}

/**
 * Returns each two that stand next to each other once they are sorted by their cost.
 * @param intervalCount so many intervals hold together
 */
export function adjacentIn<Thing extends { cost: Estimate }>(
  things: readonly Thing[],
  intervalCount: number,
): Adjacent<Thing>[] {
  const sorted = things.toSorted((one, other) => one.cost.value - other.cost.value);
  return sorted.slice(1).map((second, at) => {
    const first = sorted[at] as Thing;
    return { ...standingOf(first.cost, second.cost, intervalCount), first, second };
  });
}

function standingOf(first: Estimate, second: Estimate, intervalCount: number): Standing {
  const firstUs = first.baseline + first.value;
  const difference = dividedBy(changeBetweenRows(first, second, intervalCount), firstUs);
  return { kind: kindOf(difference), difference, firstUs };
}

function kindOf(difference: Interval): Standing['kind'] {
  if (!holdsZero(difference)) return 'apart';
  const most = Math.max(-difference.low, difference.high);
  return most <= ALIKE_SHARE ? 'alike' : 'unclear';
}
