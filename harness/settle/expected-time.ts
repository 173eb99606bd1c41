import type { ExpectedSeconds } from '../plan/plan.ts';
import type { Configuration } from '../result/schema.ts';

/** Starting two servers and checking their answers, in seconds. */
const START_SECONDS = 0.8;
/** Most servers warm up in this time; slow ones have a limit of their suite. */
const USUAL_WARMUP_SECONDS = 5;

/** Returns about how long a run of so many rows takes, and each of its steps. */
export function expectedSeconds(configuration: Configuration, rows: number): ExpectedSeconds {
  const { starts, idleSeconds, pairs, mostPairs, atMostSeconds } = configuration;
  const limitSeconds = atMostSeconds ?? Number.POSITIVE_INFINITY;
  const startUps = starts > 0 ? START_SECONDS * (1 + 2 * starts) : 0;
  const idle = idleSeconds > 0 ? START_SECONDS + idleSeconds : 0;
  const pair = expectedPairSeconds(configuration);
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

function expectedPairSeconds(configuration: Configuration): number {
  const { warmupSeconds, alternatingSlices, duetSlices, sliceSeconds } = configuration;
  const warmUpSeconds = Math.min(warmupSeconds, USUAL_WARMUP_SECONDS);
  const slicesSeconds = (2 * alternatingSlices + duetSlices) * sliceSeconds;
  return START_SECONDS + warmUpSeconds + slicesSeconds;
}
