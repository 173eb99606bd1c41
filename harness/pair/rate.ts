import { sum } from 'simple-statistics';
import type { TaskLoad } from '../plan/task-load.ts';
import type { Loaded } from '../result/schema.ts';

/** With a smaller share of the requests answered, the rate was not held. */
const MIN_ANSWERED_SHARE = 0.99;
/** With more of its cores in use, a load tool has no time left to hold a rate. */
const MAX_TOOL_SHARE = 0.9;

/**
 * Returns why a steady rate was not held by loads that ran at the same time: too few answers, or a
 * load tool without time left. Empty if it was held, or if there is no rate.
 */
export function rateShortfalls(
  toolCoreCount: number,
  { rate, durationSeconds }: TaskLoad,
  loads: readonly Loaded[],
): string[] {
  if (!rate) return [];
  const toolSeconds = sum(loads.map(({ toolCpuNs }) => toolCpuNs)) / 1e9;
  const toolShare = toolSeconds / durationSeconds / toolCoreCount;
  if (toolShare >= MAX_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
  const wanted = rate * durationSeconds;
  const leastAnswered = Math.floor(MIN_ANSWERED_SHARE * wanted);
  return loads
    .filter(({ requests, underWay }) => requests + underWay < leastAnswered)
    .map(({ requests }) => `${requests} of ${wanted} requests were answered`);
}
