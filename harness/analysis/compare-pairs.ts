import type { Analysis } from './analysis.ts';
import { type Comparison, type CostChange, verdictOf, weakness } from './compare.ts';
import { scaled, tInterval } from './estimate.ts';
import type { Row, TaskAnalysis } from './task.ts';

/**
 * One for each task of a run in which the old is the baseline and the new is the scenario, and one for what was skipped. The
 * change is that of the pairs, so whatever both had in common is not in it.
 */
export function comparePairs({ tasks, suite }: Analysis): Comparison[] {
  const rows = tasks.flatMap(({ title, baseline, rows }) => rows.map((row) => ({ title, baseline, row })));
  const measured = rows.map(({ title, baseline, row }) => {
    const cost = changeOf(baseline, row, rows.length);
    return { title, cost, missing: cost ? null : (weakness(row, 'new') ?? 'nothing was measured') };
  });
  const skipped = suite.skipped.map(({ scenario, reason }) => ({ title: scenario, cost: null, missing: reason }));
  return [...measured, ...skipped];
}

/** What a request takes of both, in µs. Null if the row can't be compared. */
function changeOf({ figures }: TaskAnalysis['baseline'], row: Row, rows: number): CostChange | null {
  const by = (['cpuUs', 'latencyUs'] as const).find((quantity) => row.change[quantity]);
  const found = by && row.change[by]?.estimate;
  const oldUs = by === 'cpuUs' ? figures?.cpuUs : figures?.latencyUs?.mean;
  if (!found || !oldUs || weakness(row, 'new')) return null;
  const changeUs = tInterval({ ...found, freedom: found.n - 1 }, rows);
  const newUs = oldUs + changeUs.value;
  return { by, oldUs, newUs, changeUs, relative: scaled(changeUs, 1 / oldUs), verdict: verdictOf(changeUs) };
}
