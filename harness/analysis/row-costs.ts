import {
  type ComparedQuantity,
  type ComparedRun,
  type Comparison,
  changeOf,
  type Missing,
  NOT_MEASURED,
  skippedOf,
  whyNotComparable,
} from './compare.ts';
import { intervalAmong } from './compare-estimates.ts';
import { type Misreading, misreadingOf, misreadingOfRevision, NOT_MISREAD } from './misreading.ts';
import { pairsToTell } from './quantities.ts';
import { isOfRevisions, isReference, type Row, type TaskAnalysis } from './rows.ts';

/*
 * What the rows of one run take more than their baselines. Of two revisions the baseline is the old
 * one, so that this is what became of a cost.
 */

/** Returns the costs that a gate judges: those of all rows but references, and what was skipped. */
export function judgedCostsOf(
  run: ComparedRun,
  quantity: ComparedQuantity = 'cpuUs',
): Comparison[] {
  const costs = costsWhere(run, quantity, (row) => !isReference(run.header, row));
  return [...costs, ...skippedOf(run)];
}

/** Returns what the references among the rows of revisions take more than the old one. */
export function referenceCostsOf(run: ComparedRun): Comparison[] {
  return costsWhere(run, 'cpuUs', (row) => isReference(run.header, row));
}

function costsWhere(
  run: ComparedRun,
  quantity: ComparedQuantity,
  isWanted: (row: Row) => boolean,
): Comparison[] {
  const costs = [...costByRow(run, quantity)];
  return costs.flatMap(([row, cost]) => (isWanted(row) ? [cost] : []));
}

/**
 * Returns what each row of a run takes more than its baseline, with the intervals of its table. Of
 * two revisions each row has a task, so there all rows make one table: those with too few pairs
 * make no interval wider.
 */
export function costByRow(run: ComparedRun, quantity: ComparedQuantity): Map<Row, Comparison> {
  const isPaired = isOfRevisions(run.header.suite);
  const rows = run.tasks.flatMap((task) => task.rows.map((row) => ({ task, row })));
  const comparable = rows.filter(({ row }) => whyNotComparable(row, 'this') === null).length;
  const costs = rows.map(({ task, row }): [Row, Comparison] => {
    const telling = isPaired ? tellingOfRevision(task, row, comparable) : tellingOf(row);
    return [row, costBesideBaseline(row, quantity, telling)];
  });
  return new Map(costs);
}

/** How the cost of a row is told. */
interface Telling {
  title: string;
  /** With how many rows its interval is to hold together; null for those of its task. */
  among: number | null;
  /** Why its CPU is not what it reads. */
  misreading: Misreading;
}

function tellingOf(row: Row): Telling {
  return { title: row.label, among: null, misreading: misreadingOf(row) };
}

/** Of two revisions, the title of the task says all; of several, the row names one of them. */
function tellingOfRevision({ title, rows }: TaskAnalysis, row: Row, among: number): Telling {
  return {
    title: rows.length > 1 ? row.label : title,
    among,
    misreading: misreadingOfRevision(row),
  };
}

function costBesideBaseline(
  row: Row,
  quantity: ComparedQuantity,
  { title, among, misreading }: Telling,
): Comparison {
  const missing = whyNotComparable(row, 'this');
  if (missing !== null) return { title, cost: null, ...missing };
  const change = row.change[quantity];
  if (!change) return { title, cost: null, ...whyNotTold(row, quantity) };
  const changeUs = among === null ? change : intervalAmong(among, change);
  // The one beside which it was measured: that of other rows may be of slices of another kind.
  const oldUs = change.baseline;
  const cost = {
    oldUs,
    newUs: oldUs + changeUs.value,
    ...changeOf(oldUs, changeUs),
    pairs: change.n,
    ...(quantity === 'cpuUs' ? misreading : NOT_MISREAD),
  };
  return { title, cost, missing: null };
}

/** More answers tell a p99, of more pairs or of longer ones. */
function whyNotTold({ pairs }: Row, quantity: ComparedQuantity): Missing {
  const missing = NOT_MEASURED[quantity];
  const pairsNeeded = pairsToTell(pairs, quantity);
  return pairsNeeded !== null && pairsNeeded > pairs.length
    ? { missing, tooFewPairs: pairs.length, pairsNeeded }
    : { missing };
}
