import { sum } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import { inRows, percent, warn } from './finding.ts';

/** Of all answers: what is less does not show in the cost. */
const LEAST_DIFFERENCE = 0.1;

/** By how much a known cost read too high for each, at most, in calibrations on a virtual machine (docs/calibration.md). */
const WAKE_UP_US = 4;

const SATURATED = 'Measure at a steady rate as well (--rate)';
const BURSTS = 'Use a load tool that sends evenly (--tool oha)';

/**
 * An answer must wake a load tool that sleeps, and the server pays for that. It is no cost of the scenario: a tool that
 * never sleeps beside the baseline does sleep beside any slower server.
 */
export const wakeUps = inRows(({ title }, pairs, { rate }) => {
  const [baseline, scenario] = [wokenShare(pairs, 'baseline'), wokenShare(pairs, 'scenario')];
  const more = scenario - baseline;
  const tooHigh = `That makes CPU per request read up to ${(more * WAKE_UP_US).toFixed(1)} µs too high`;
  return (
    more > LEAST_DIFFERENCE &&
    warn(
      `${title}: ${percent(scenario)} of its answers had to wake the load tool, and ${percent(baseline)} of the baseline's. ${tooHigh}`,
      `${rate === null ? SATURATED : BURSTS}, or see docs/calibration.md`,
      'cpuUs',
    )
  );
});

/** Of all answers in duet slices. One answer may wake several threads of the tool. */
function wokenShare(pairs: Pair[], side: Side): number {
  const slices = pairs.flatMap(({ duets }) => duets.map((slice) => slice[side]));
  const sleeps = sum(slices.map(({ toolSleeps }) => toolSleeps ?? Number.NaN));
  return Math.min(1, sleeps / sum(slices.map(({ requests }) => requests)));
}
