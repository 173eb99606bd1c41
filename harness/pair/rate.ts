import { max, sum } from 'simple-statistics';
import type { TaskLoad } from '../plan/task-load.ts';
import type { Loaded } from '../result/schema.ts';
import type { World } from './world.ts';

/** With a smaller share of the requests answered, the rate was not held. */
const MIN_ANSWERED_SHARE = 0.99;
/**
 * If a load lasts longer by so much of its time, since the load tool waits for the last answers,
 * and others came sooner, requests queue up.
 */
const MAX_LATE_SHARE = 0.1;
/** With more of its cores in use, a load tool has no time left to hold a rate. */
const MAX_TOOL_SHARE = 0.9;

/**
 * Returns why a steady rate was not held by loads that ran at the same time: too few answers, or
 * late ones, or a load tool without time left. Empty if it was held, or if there is no rate.
 */
export function rateShortfalls(
  { toolCoreCount, waitsForAnswers }: Pick<World, 'toolCoreCount' | 'waitsForAnswers'>,
  { rate, durationSeconds }: TaskLoad,
  loads: readonly Loaded[],
): string[] {
  if (!rate) return [];
  const toolSeconds = sum(loads.map(({ toolCpuNs }) => toolCpuNs)) / 1e9;
  const lastedSeconds = waitsForAnswers ? loads.map(({ seconds }) => seconds) : [];
  const toolShare = toolSeconds / max([durationSeconds, ...lastedSeconds]) / toolCoreCount;
  if (toolShare >= MAX_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
  const wanted = rate * durationSeconds;
  const leastAnswered = Math.floor(MIN_ANSWERED_SHARE * wanted);
  return loads.flatMap((load) => {
    const { requests, underWay, seconds } = load;
    if (requests + Math.min(underWay, mostUnderWay(load, rate)) < leastAnswered)
      return [`${requests} of ${wanted} requests were answered`];
    return waitsForAnswers && isQueueing(load, durationSeconds)
      ? [`answers to ${durationSeconds} s of requests took ${seconds.toFixed(1)} s`]
      : [];
  });
}

/**
 * Returns how many requests may be under way at the end of a load, if they are answered as the
 * others were: as many as are sent in twice the longest time (J. D. C. Little, Operations Research
 * 9, 1961, 383-387). More of them are not answered at all.
 */
function mostUnderWay({ latencyUs }: Loaded, rate: number): number {
  return Math.ceil((2 * rate * (latencyUs?.max ?? 0)) / 1e6) + 1;
}

/**
 * Returns whether the last answers were late because requests queue up. Then each waits longer than
 * the one before, so the median wait is half of the last one. A server that waits for a database
 * lets all wait alike: that is no queue.
 */
function isQueueing({ seconds, latencyUs }: Loaded, durationSeconds: number): boolean {
  const lateSeconds = seconds - durationSeconds;
  const beyondUsualSeconds = lateSeconds - (latencyUs?.p50 ?? 0) / 1e6;
  const isLate = lateSeconds > MAX_LATE_SHARE * durationSeconds;
  return isLate && beyondUsualSeconds > (MAX_LATE_SHARE / 2) * durationSeconds;
}
