import { mean } from 'simple-statistics';
import { SETTLING_SECONDS } from '../pair/settle-at-rate.ts';
import type { ExpectedSeconds } from '../plan/plan.ts';
import type { Configuration } from '../result/schema.ts';

/** Starting two servers and checking their answers, in seconds. */
const START_SECONDS = 0.8;
/** Most servers warm up in this time; slow ones have a limit of their suite. */
const USUAL_WARMUP_SECONDS = 5;
/** What most take whose compiler can't be watched: ten slices, then one of each server alone. */
const UNWATCHED_WARMUP_SECONDS = 12;
/** Runtimes whose compiler has threads of its own, by which a warm-up sees that it rests. */
const WATCHED_RUNTIMES = ['bun', 'java'];

/**
 * Returns about how long a run of so many rows takes, and each of its steps.
 * @param runtimes the names of what the scenarios run on; null if nothing tells
 * @param pacedShare the part of the rows that are at a steady rate
 */
export function expectedSeconds(
  configuration: Configuration,
  rows: number,
  runtimes: readonly (string | null)[],
  pacedShare = 0,
): ExpectedSeconds {
  const { starts, idleSeconds, pairs, mostPairs, atMostSeconds } = configuration;
  const limitSeconds = atMostSeconds ?? Number.POSITIVE_INFINITY;
  const startUps = starts > 0 ? START_SECONDS * (1 + 2 * starts) : 0;
  const idle = idleSeconds > 0 ? START_SECONDS + idleSeconds : 0;
  const pair =
    expectedPairSeconds(configuration, runtimes) + pacedShare * moreAtRate(configuration);
  const runOf = (pairsPerRow: number) =>
    Math.min(limitSeconds, rows * (startUps + pairsPerRow * pair + idle));
  return {
    startUps,
    pair,
    idle,
    run: runOf(pairs),
    longestRun: runOf(mostPairs ?? pairs),
  };
}

function expectedPairSeconds(
  configuration: Configuration,
  runtimes: readonly (string | null)[],
): number {
  const { warmupSeconds, alternatingSlices, duetSlices, sliceSeconds } = configuration;
  const warmUpSeconds = Math.min(warmupSeconds, mean(runtimes.map(usualWarmUpSeconds)));
  const slicesSeconds = (2 * alternatingSlices + duetSlices) * sliceSeconds;
  return START_SECONDS + warmUpSeconds + slicesSeconds;
}

/** Both servers settle at their rate, and alternating slices take twice the time of duets. */
function moreAtRate({ duetSlices, sliceSeconds }: Configuration): number {
  return 2 * SETTLING_SECONDS + duetSlices * sliceSeconds;
}

function usualWarmUpSeconds(runtime: string | null): number {
  const isWatched = runtime !== null && WATCHED_RUNTIMES.includes(runtime);
  return isWatched ? USUAL_WARMUP_SECONDS : UNWATCHED_WARMUP_SECONDS;
}
