import type { PlannedRow } from '../plan/plan.ts';
import type { Pair, Result } from '../result/schema.ts';

/** The part of a result that says of which row it is. */
export interface OfRow {
  task: string;
  scenario: string;
}

/** Returns whether a part of a result is of this row of the plan. */
export function isOfRow({ task, scenario }: PlannedRow, part: OfRow): boolean {
  return part.task === task.name && part.scenario === scenario.name;
}

/** Returns the pairs of a row in the order in which they were measured. */
export function pairsOf(row: PlannedRow, { pairs }: Pick<Result, 'pairs'>): Pair[] {
  return pairs.filter((pair) => isOfRow(row, pair));
}
