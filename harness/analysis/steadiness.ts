import type { Pair } from '../result/schema.ts';
import { cpuDifferenceUs, isWhole, minus } from './differences.ts';
import { estimateAt, holdsZero } from './estimate.ts';
import { inRows, inRun, say } from './finding.ts';

/** With more of a row's pairs not steady than this, its figures are in doubt. */
const UNSTEADY_SHARE = 0.25;

/** How sure a trend must be, and what part of the row's change its effect must be, to be worth a word. */
const TREND_LEVEL = 0.99;
const TREND_SHARE = 0.05;

const LONGER_WARMUP = 'Allow a longer warm-up (--warmup)';

/** More than a few pairs of a row. */
export const oftenUnsteady = inRows(({ title }, pairs) => {
  const count = countUnsteady(pairs);
  const isOften = count > UNSTEADY_SHARE * pairs.length;
  return isOften && say(`Servers of ${title} ${wereUnsteady(count, pairs)}`, LONGER_WARMUP);
});

/** A few pairs, and no row with more of them. */
export const sometimesUnsteady = inRun((result, tasks) => {
  const count = countUnsteady(result.pairs);
  const isSome = count > 0 && oftenUnsteady(result, tasks).length === 0;
  return isSome && say(`Servers ${wereUnsteady(count, result.pairs)}`, LONGER_WARMUP);
});

function countUnsteady(pairs: Pair[]): number {
  return pairs.filter(({ warmUp }) => !warmUp.isSteady).length;
}

function wereUnsteady(count: number, { length }: Pair[]): string {
  return `were still speeding up when the warm-up ended, in ${count} of ${length} pairs`;
}

/** Whether the cost changes from the first duet slice to the last: the mean over slices has half of that in it. */
export const trend = inRows(({ title, change }, pairs) => {
  const slopesUs = pairs.map(slopeUs);
  if (!change.cpuUs || !isWhole(slopesUs)) return null;
  const slope = estimateAt(TREND_LEVEL, slopesUs);
  const isLarge = Math.abs(slope.value / 2) > TREND_SHARE * Math.abs(change.cpuUs.estimate.value);
  const verb = slope.value > 0 ? 'rose' : 'fell';
  const byUs = Math.abs(slope.value).toPrecision(2);
  return (
    isLarge &&
    !holdsZero(slope) &&
    say(
      `${title}: the change of CPU per request ${verb} by ${byUs} µs from the first duet slice to the last`,
      LONGER_WARMUP,
    )
  );
});

/** The pair's difference in its last duet slice minus that in its first; null if it has but one. */
function slopeUs({ duets }: Pair): number | null {
  if (duets.length < 2) return null;
  return minus(cpuDifferenceUs(duets.slice(-1)), cpuDifferenceUs(duets.slice(0, 1)));
}
