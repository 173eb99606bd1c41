/**
 * This room turns a result into what reports print: rows that own their pairs (`task.ts`), costs
 * with intervals (`estimate.ts`), curves, warnings (`warnings/`), and on demand a comparison of two
 * runs (`compare.ts`) and the verdicts of a gate (`gate.ts`). A result goes in, data comes out. All
 * of it is pure: nothing here reads a file, prints, or makes up a column.
 */
import type { Result } from '../result/schema.ts';
import { decidingQuantities, isByRule } from './aims.ts';
import { type Curve, curvesOf } from './curves.ts';
import { RULE_LEVEL } from './estimate.ts';
import { rowPairsOf } from './row-pairs.ts';
import type { MeasuredRun } from './rows.ts';
import { analyseTask } from './task.ts';
import { costsOfTasks, slopeOfTasks, type TableLevels, type TaskCosts } from './task-costs.ts';
import { type Warning, warningsOf } from './warnings/list.ts';

/** A result as rows that own their pairs, with all that follows from them. */
export interface Run extends MeasuredRun {
  /** One for each scenario that was swept and each cost; empty if the suite has no sweep. */
  curves: Curve[];
  /** Those that matter most first. */
  warnings: Warning[];
}

/** Returns everything that reports print, from what was measured. */
export function analyse(result: Result): Run {
  const measured = measuredRunOf(result);
  return {
    ...measured,
    curves: curvesOf(result.suite.sweep, measured.tasks),
    warnings: warningsOf(measured),
  };
}

/** What decides when a run ends needs wider intervals, to hold as often as they say. */
function levelsOf(header: MeasuredRun['header']): TableLevels {
  return Object.fromEntries(decidingQuantities(header).map((quantity) => [quantity, RULE_LEVEL]));
}

/** Returns the rows of a result with what they cost, and concludes nothing from them. */
export function measuredRunOf(result: Result): MeasuredRun {
  const { proofs, pairs, startUps, idles, ...header } = result;
  const { suite, configuration } = header;
  const pairsOfTasks = suite.tasks.map((task) => rowPairsOf(result, task));
  const costs = costsOfTasks(pairsOfTasks, levelsOf(header));
  const tasks = suite.tasks.map((task, at) =>
    analyseTask(result, task, pairsOfTasks[at] ?? [], costs[at] as TaskCosts),
  );
  const rowCount = suite.tasks.reduce((count, { scenarios }) => count + scenarios.length, 0);
  return {
    header,
    pairs: {
      measured: pairs.length,
      planned: isByRule(configuration) ? null : rowCount * configuration.pairs,
    },
    slope: slopeOfTasks(pairsOfTasks),
    tasks,
  };
}
