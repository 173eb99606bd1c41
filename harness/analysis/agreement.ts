import { mean } from 'simple-statistics';
import type { Pair } from '../result/schema.ts';
import { busyShare, cpuPerRequestUs, DIFFERENCES, isWhole, meanLatencyUs } from './differences.ts';
import { estimate, type Interval } from './estimate.ts';
import type { Agreement } from './model.ts';

/** How far from each other the two columns may lie, as a part of the expected change ... */
const TOLERANCE = 0.2;
/** ... or of the baseline's latency: of a change of nearly nothing a fifth is less than what a client adds. */
const LEAST_TOLERANCE = 0.01;

/** Below this busy share latency is waiting, and says nothing about CPU time. */
const LEAST_BUSY_SHARE = 0.5;

/**
 * Whether the change of latency is what the change of CPU per request makes of it, by a test of equivalence
 * (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987, 657-680): the columns agree only if the
 * interval of their difference lies within the tolerance, and disagree only if it lies wholly outside. Null if it does
 * neither, or can't be told. The interval holds together with those of the other rows of the table.
 */
export function agreementOf(pairs: Pair[], connections: number, rows: number): Agreement | null {
  const checks = pairs.map((pair) => check(pair, connections));
  if (!isWhole(checks)) return null;
  const meanOf = (read: (each: Check) => number) => mean(checks.map(read));
  if (meanOf(({ baselineBusy }) => baselineBusy) < LEAST_BUSY_SHARE) return null;
  if (meanOf(({ scenarioBusy }) => scenarioBusy) < LEAST_BUSY_SHARE) return null;

  const [measuredUs, expectedUs] = [meanOf((each) => each.measuredUs), meanOf((each) => each.expectedUs)];
  const baselineUs = meanOf((each) => each.baselineUs);
  const toleranceUs = Math.max(TOLERANCE * Math.abs(expectedUs), LEAST_TOLERANCE * baselineUs);
  const deviationUs = estimate(
    checks.map((each) => each.measuredUs - each.expectedUs),
    rows,
  );
  const verdict = compare(deviationUs, toleranceUs);
  return verdict && { verdict, measuredUs, expectedUs };
}

/** One pair's change of latency, measured and as computed from its CPU time. */
interface Check {
  measuredUs: number;
  expectedUs: number;
  /** The baseline's latency. */
  baselineUs: number;
  baselineBusy: number;
  scenarioBusy: number;
}

/**
 * A server that takes the CPU time c for a request, and is busy for the share u of its core, answers one every c / u. In a
 * closed loop each of N connections then waits N x c / u (Little's law). Cost is added, so the scenario's c is that of the
 * baseline in these slices plus the difference in the duet slices.
 */
function check(pair: Pair, connections: number): Check | null {
  const { alternating } = pair;
  const [addedUs, measuredUs] = [DIFFERENCES.cpuUs(pair), DIFFERENCES.latencyUs(pair)];
  const costUs = cpuPerRequestUs(alternating, 'baseline');
  const baselineUs = meanLatencyUs(alternating, 'baseline');
  const [baselineBusy, scenarioBusy] = [busyShare(alternating, 'baseline'), busyShare(alternating, 'scenario')];
  if (costUs === null || addedUs === null || measuredUs === null || baselineUs === null) return null;
  if (!baselineBusy || !scenarioBusy) return null;
  const expectedUs = connections * ((costUs + addedUs) / scenarioBusy - costUs / baselineBusy);
  return { measuredUs, expectedUs, baselineUs, baselineBusy, scenarioBusy };
}

function compare({ low, high }: Interval, tolerance: number): Agreement['verdict'] | null {
  if (low >= -tolerance && high <= tolerance) return 'agrees';
  return low > tolerance || high < -tolerance ? 'disagrees' : null;
}
