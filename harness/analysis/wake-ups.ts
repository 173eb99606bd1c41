import { sum } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import { inRows, warn } from './finding.ts';
import { asPercent } from './units.ts';

/** Of all answers: what is less does not show in the cost. */
const LEAST_DIFFERENCE = 0.1;

/** By how much a known cost read too high for each, at most, in calibrations on a virtual machine (docs/calibration.md). */
const WAKE_UP_US = 4;

/** Load tools that send evenly at a steady rate. */
const EVEN = new Set(['oha', 'locust']);

/**
 * An answer must wake a load tool that sleeps, and the server pays for that. It is no cost of the scenario: a tool that
 * never sleeps beside the baseline does sleep beside any slower server.
 */
export const wakeUps = inRows(({ title, change: { cpuUs } }, pairs, { rate }, { tool }) => {
  const [baseline, scenario] = [wokenShare(pairs, 'baseline'), wokenShare(pairs, 'scenario')];
  const more = scenario - baseline;
  const tooHigh = `That makes CPU per request read up to ${(more * WAKE_UP_US).toFixed(1)} µs too high`;
  return (
    cpuUs &&
    more > LEAST_DIFFERENCE &&
    warn(
      `${title}: ${asPercent(scenario)} of its answers had to wake the load tool, and ${asPercent(baseline)} of the baseline's. ${tooHigh}`,
      remedyFor(rate, tool.name),
      'cpuUs',
    )
  );
});

function remedyFor(rate: number | null, tool: string): string {
  if (rate === null) return 'Measure at a steady rate as well (--rate), or see docs/calibration.md';
  if (EVEN.has(tool)) return 'See docs/calibration.md';
  return 'Use a load tool that sends evenly (--tool oha), or see docs/calibration.md';
}

/** Of all answers in duet slices. One answer may wake several threads of the tool. */
function wokenShare(pairs: Pair[], side: Side): number {
  const slices = pairs.flatMap(({ duets }) => duets.map((slice) => slice[side]));
  const sleeps = sum(slices.map(({ toolSleeps }) => toolSleeps ?? Number.NaN));
  return Math.min(1, sleeps / sum(slices.map(({ requests }) => requests)));
}
