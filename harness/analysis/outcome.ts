import type { Pair, Result } from '../result/schema.ts';
import { estimate, holdsZero } from './estimate.ts';
import { DIFFERENCES } from './figures.ts';
import { inRows, inRun, mention, warn } from './finding.ts';

/** What part of the row's change the effect of a trend must be to be worth a word. */
const TREND_SHARE = 0.05;
/** Five intervals that hold together with 95 % have 99 % each: so sure must a trend be. */
const TREND_ROWS = 5;

/** With more of the pairs not steady than this, their figures are in doubt. */
const UNSTEADY_SHARE = 0.25;

const LONGER_WARMUP = 'Allow a longer warm-up (--warmup)';

export const stopped = inRun((result) => {
  const { stoppedBy, endedAt, pairs } = result;
  const isCut = stoppedBy !== null || (endedAt === null && pairs.length > 0);
  const reason = stoppedBy ?? 'it was killed, or still runs';
  const count = `${pairs.length} of ${plannedPairs(result)} pairs`;
  return isCut && warn(`The run ended after ${count}: ${reason}`, 'Measure again');
});

export function plannedPairs({ suite, configuration }: Result): number {
  return suite.tasks.reduce((count, { scenarios }) => count + scenarios.length * configuration.pairs, 0);
}

export const invalid = inRows(({ title, invalid: [first, ...others] }) => {
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return first !== undefined && warn(`${title} has no figures: ${first}${more}`, 'Fix what failed, and measure again');
});

export const inconsistent = inRows(
  ({ title, agreement }) =>
    agreement?.verdict === 'disagrees' &&
    warn(
      `${title}: the change in ms is ${inMs(agreement.measuredUs)}, but CPU per request accounts for ${inMs(agreement.expectedUs)}`,
      'Look for what else delays answers, or measure more pairs (--pairs)',
    ),
);

function inMs(timeUs: number): string {
  return `${timeUs < 0 ? '-' : '+'}${Math.abs(timeUs / 1e3).toPrecision(2)} ms`;
}

/** One line for all pairs; it changes how figures are to be read if it is more than a few of them. */
export const notSteady = inRun(({ pairs }) => {
  const count = pairs.filter(({ warmUp }) => !warmUp.isSteady).length;
  const say = count > UNSTEADY_SHARE * pairs.length ? warn : mention;
  return (
    count > 0 &&
    say(`In ${count} of ${pairs.length} pairs a server was still speeding up when the warm-up ended`, LONGER_WARMUP)
  );
});

/** Whether the cost changes from the first duet slice to the last: the mean over slices has half of that in it. */
export const trend = inRows(({ title, change: { cpuUs } }, pairs) => {
  if (!cpuUs || holdsZero(cpuUs.estimate)) return null;
  const costUs = (pair: Pair, duets: Pair['duets']) => DIFFERENCES.cpuUs({ ...pair, duets });
  const slopesUs = pairs.map((pair) => costUs(pair, pair.duets.slice(-1)) - costUs(pair, pair.duets.slice(0, 1)));
  const slope = estimate(slopesUs, TREND_ROWS);
  const isLarge = Math.abs(slope.value / 2) > TREND_SHARE * Math.abs(cpuUs.estimate.value);
  const moved = `${slope.value > 0 ? 'rose' : 'fell'} by ${Math.abs(slope.value).toPrecision(2)} µs`;
  const message = `${title}: the change of CPU per request ${moved} from the first duet slice to the last`;
  return isLarge && !holdsZero(slope) && mention(message, LONGER_WARMUP);
});
