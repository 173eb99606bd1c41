import type { Analysis } from './analysis.ts';
import { type Comparison, changeOf, weakness } from './compare.ts';
import { tInterval } from './estimate.ts';
import type { Row, TaskAnalysis } from './task.ts';

/**
 * One for each task of a run in which the old is the baseline and the new is the scenario, and one for what was skipped. The
 * change is that of the pairs, so whatever both had in common is not in it.
 */
export function comparePairs({ tasks, suite }: Analysis): Comparison[] {
  const rows = tasks.flatMap(({ title, baseline, rows }) => rows.map((row) => ({ title, baseline, row })));
  const measured = rows.map(({ title, baseline, row }) => {
    const cost = changeInPairs(baseline, row, rows.length);
    return { title, cost, missing: cost ? null : (weakness(row, 'new') ?? 'nothing was measured') };
  });
  const skipped = suite.skipped.map(({ scenario, reason }) => ({ title: scenario, cost: null, missing: reason }));
  return [...measured, ...skipped];
}

/** Old and new are what a request takes. Null if the row can't be compared. */
function changeInPairs({ figures }: TaskAnalysis['baseline'], row: Row, rows: number): Comparison['cost'] {
  const by = (['cpuUs', 'latencyUs'] as const).find((quantity) => row.change[quantity]);
  const found = by && row.change[by]?.estimate;
  const oldUs = by === 'cpuUs' ? figures?.cpuUs : figures?.latencyUs?.mean;
  if (!found || !oldUs || weakness(row, 'new')) return null;
  return changeOf(by, oldUs, oldUs + found.value, tInterval({ ...found, freedom: found.n - 1 }, rows), oldUs);
}
