import type { Slope } from './ancova.ts';
import { estimateTasks, METHODS, slopeOfRun } from './estimate.ts';
import type { Estimate } from './mean-estimate.ts';
import { QUANTITIES, type Quantity, samplesOf } from './quantities.ts';
import type { RowPairs } from './row-pairs.ts';
import type { Row } from './rows.ts';
import type { Sample } from './sample.ts';

/*
 * What the rows of a run cost, by their pairs: the rows of all tasks are estimated together.
 */

/** What the rows of one task cost, in their order. */
export interface TaskCosts {
  /** For each quantity; null for a row in which it was not measured. */
  changes: Record<Quantity, (Estimate | null)[]>;
  /**
   * Measured minus true CPU per request of the rows whose true cost is known; null for the others.
   */
  errors: (Estimate | null)[];
}

/** What one row costs, as `TaskCosts` has it for all. */
export interface RowCosts {
  change: Row['change'];
  costError: Estimate | null;
}

/** The part of tables whose intervals are all to hold, where it is not the usual one. */
export type TableLevels = Partial<Record<Quantity, number>>;

/** Returns what the rows of each task of a run cost. */
export function costsOfTasks(tasks: readonly RowPairs[][], levels: TableLevels): TaskCosts[] {
  const changes = ofQuantities((quantity) =>
    estimateTasks(
      tasks.map((rows) => rows.map((row) => samplesOfRow(row, quantity))),
      METHODS[quantity],
      levels[quantity],
    ),
  );
  const errors = estimateTasks(
    tasks.map((rows) => rows.map(errorSamplesOf)),
    METHODS.cpuUs,
    levels.cpuUs,
  );
  return tasks.map((rows, at) => ({
    changes: ofQuantities((quantity) => changes[quantity][at] ?? []),
    errors: rows.map(({ trueCostsUs }, row) => (trueCostsUs ? (errors[at]?.[row] ?? null) : null)),
  }));
}

/** Returns the slope by which CPU per request follows the baseline in a run; null without pairs. */
export function slopeOfTasks(tasks: readonly RowPairs[][]): Slope | null {
  return slopeOfRun(tasks.map((rows) => rows.map((row) => samplesOfRow(row, 'cpuUs'))));
}

function samplesOfRow({ usable, rate }: RowPairs, quantity: Quantity): Sample[] | null {
  return samplesOf(usable, quantity, rate);
}

/**
 * The samples of a row with its true cost, if that is known. Their errors stay those of the whole
 * cost, so that intervals are as wide as its own.
 */
function errorSamplesOf(row: RowPairs): Sample[] | null {
  const samples = samplesOfRow(row, 'cpuUs');
  const { trueCostsUs } = row;
  return samples && trueCostsUs ? withKnownCosts(samples, trueCostsUs) : samples;
}

/** Returns what the row at this place of a task costs. */
export function costsOfRow({ changes, errors }: TaskCosts, at: number): RowCosts {
  return {
    change: ofQuantities((quantity) => changes[quantity][at] ?? null),
    costError: errors[at] ?? null,
  };
}

function withKnownCosts(samples: Sample[], trueCostsUs: number[]): Sample[] {
  return samples.map((sample, pair) => ({ ...sample, knownCost: trueCostsUs[pair] ?? Number.NaN }));
}

function ofQuantities<Value>(read: (quantity: Quantity) => Value): Record<Quantity, Value> {
  const values = QUANTITIES.map((quantity) => [quantity, read(quantity)]);
  return Object.fromEntries(values);
}
