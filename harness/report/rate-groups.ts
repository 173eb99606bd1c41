import type { Run } from '../analysis/analysis.ts';
import type { TaskAnalysis } from '../analysis/rows.ts';
import { asCount, asPercent } from '../words/units.ts';

/**
 * Returns the tasks of a run in groups that differ in nothing but the rate at which the same
 * requests are sent. Undefined if a task has no other one beside it: then no table can show them
 * side by side.
 */
export function rateGroupsOf({ tasks, header }: Run): TaskAnalysis[][] | undefined {
  // A sweep has a table of its own, with a row for each of its values.
  if (header.suite.sweep !== null) return undefined;
  const isOfOneTool = header.toolAtRates === undefined;
  const groups = [...Map.groupBy(tasks, (task) => comparisonOf(task, isOfOneTool)).values()];
  return areToldApart(groups) && groups.every(hasSeveralRates) ? groups : undefined;
}

/** Load tools differ in the headers that they add: of two, the digests of requests say nothing. */
function comparisonOf(
  { baseline, connections, exchanges }: TaskAnalysis,
  isOfOneTool: boolean,
): string {
  const sent = exchanges.map(({ method, path, weight, requestDigest, answerDigest }) => {
    return [method, path, weight, answerDigest, isOfOneTool ? requestDigest : null];
  });
  return JSON.stringify([baseline.scenario, connections, sent]);
}

/** Returns whether the title of its baseline names each group: such a table has no name of a task. */
function areToldApart(groups: readonly TaskAnalysis[][]): boolean {
  const titles = new Set(groups.map(([task]) => task?.baseline.title));
  return groups.length > 0 && titles.size === groups.length;
}

function hasSeveralRates(tasks: readonly TaskAnalysis[]): boolean {
  const rates = new Set(tasks.map(rateHeading));
  return tasks.length > 1 && rates.size === tasks.length;
}

/** Returns what a column of a table is called that shows a task: `1,000/s`, `full load`. */
export function rateHeading({ rate, rateShare }: TaskAnalysis): string {
  if (rateShare !== null) return `${asPercent(rateShare)} of full load`;
  return rate === null ? FULL_LOAD : `${asCount(rate)}/s`;
}

const FULL_LOAD = 'full load';

/** Returns the headings of all tasks: each once, rates by their size, and full load last. */
export function rateHeadings(tasks: readonly TaskAnalysis[]): string[] {
  const sizeOf = ({ rate }: TaskAnalysis) => rate ?? Number.POSITIVE_INFINITY;
  const slowestFirst = tasks.toSorted((one, other) => sizeOf(one) - sizeOf(other));
  return [...new Set(slowestFirst.map(rateHeading))];
}
