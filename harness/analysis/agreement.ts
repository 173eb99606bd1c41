import type { Pair } from '../result/schema.ts';
import { estimate } from './estimate.ts';
import { busyShare, cpuPerRequestUs, DIFFERENCES, meanLatencyUs, meanOf } from './figures.ts';

/** How far from each other the two columns may lie, as a part of the expected change ... */
const TOLERANCE = 0.2;
/** ... or of the baseline's latency: of a change of nearly nothing a fifth is less than what a client adds. */
const LEAST_TOLERANCE = 0.01;
/** Below this busy share latency is waiting, and says nothing about CPU time. */
const LEAST_BUSY_SHARE = 0.5;

/**
 * Whether the change of latency is what the change of CPU per request makes of it, by a test of equivalence
 * (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987, 657-680): whether the interval of their
 * difference, at the level of so many rows, lies within the tolerance, or outside. Null if neither, or if it can't be told.
 */
export function agreementOf(pairs: Pair[], connections: number, rows: number) {
  if (pairs.length === 0) return null;
  const checks = pairs.map((pair) => check(pair, connections));
  const measuredUs = meanOf(checks.map((each) => each.measuredUs));
  const expectedUs = meanOf(checks.map((each) => each.expectedUs));
  const baselineUs = meanOf(checks.map((each) => each.baselineUs));
  const toleranceUs = Math.max(TOLERANCE * Math.abs(expectedUs), LEAST_TOLERANCE * baselineUs);
  const deviationsUs = checks.map((each) => each.measuredUs - each.expectedUs);
  const { low, high } = estimate(deviationsUs, rows);
  if (low >= -toleranceUs && high <= toleranceUs) return { verdict: 'agrees' as const, measuredUs, expectedUs };
  if (low > toleranceUs || high < -toleranceUs) return { verdict: 'disagrees' as const, measuredUs, expectedUs };
  return null;
}

/**
 * One pair's change of latency, measured and as computed from its CPU time; that is not a number if a server was idle.
 * A server that takes the CPU time c for a request, and is busy for the share u of its core, answers one every c / u. In a
 * closed loop each of N connections then waits N x c / u (Little's law). Cost is added: the scenario's c is the baseline's
 * in these slices plus the difference in the duet slices.
 */
function check(pair: Pair, connections: number) {
  const { alternating } = pair;
  const [baselineBusy, scenarioBusy] = [busyShare(alternating, 'baseline'), busyShare(alternating, 'scenario')];
  const isBusy = Math.min(baselineBusy, scenarioBusy) >= LEAST_BUSY_SHARE;
  const costUs = isBusy ? cpuPerRequestUs(alternating, 'baseline') : Number.NaN;
  return {
    measuredUs: DIFFERENCES.latencyUs(pair),
    expectedUs: connections * ((costUs + DIFFERENCES.cpuUs(pair)) / scenarioBusy - costUs / baselineBusy),
    baselineUs: meanLatencyUs(alternating, 'baseline'),
  };
}
