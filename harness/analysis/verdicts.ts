import type { DuetSlice, Pair, Result, Side, Usage } from '../result/schema.ts';
import { otherLoad, steal, toolBottleneck, unsaturated, wakeUps } from './core-use.ts';
import { notALine } from './curves.ts';
import { estimate, holdsZero } from './estimate.ts';
import { cpuPerRequestUs, difference, lostShare, meanOf, slicesOf } from './figures.ts';
import { type Find, inRows, inRun, inTasks, listed, mention, type Verdict, warn } from './finding.ts';
import { plannedPairs, rowsOf, type TaskAnalysis } from './task.ts';
import { asPercent, asUs, intervalCell, signed } from './units.ts';

/** If more spans were dropped, the level did less work than it claims. */
const DROPPED_SHARE = 0.001;
/** With more of the slices left out than this, the servers can't take the rate. */
const LATE_SHARE = 0.1;
/** With more of the pairs not steady than this, their figures are in doubt. */
const UNSTEADY_SHARE = 0.25;
/** In duet slices the baseline's cost may differ from that in alternating slices by this much. */
const PACE_SHARE = 0.25;
/** What part of the row's change the effect of a trend must be to be worth a word. */
const TREND_SHARE = 0.05;
/** Five intervals that hold together with 95 % have 99 % each: so sure must a trend be. */
const TREND_ROWS = 5;
const LONGER_WARMUP = 'Allow a longer warm-up (--warmup)';

/** Every kind there is, those that matter most first: a verdict is an entry here, and a test that causes it. */
export const VERDICTS: Record<string, Find> = {
  stopped: inRun((result) => {
    const { stoppedBy, endedAt, pairs } = result;
    const count = `${pairs.length} of ${plannedPairs(result)} pairs`;
    const message = `The run ended after ${count}: ${stoppedBy ?? 'it was killed, or still runs'}`;
    return (stoppedBy !== null || endedAt === null) && warn(message, 'Measure again');
  }),

  invalid: inRows(({ title, invalid: [first, ...others] }) => {
    const more = others.length > 0 ? `, and ${others.length} more` : '';
    const message = `${title} has no figures: ${first}${more}`;
    return first !== undefined && warn(message, 'Fix what failed, and measure again');
  }),

  'not-steady': inRun(({ pairs }) => {
    const count = pairs.filter(({ warmUp }) => !warmUp.isSteady).length;
    const say = count > UNSTEADY_SHARE * pairs.length ? warn : mention;
    const message = `In ${count} of ${pairs.length} pairs a server was not steady when the warm-up ended: its code was still being compiled, or its CPU per request still fell`;
    return count > 0 && say(message, LONGER_WARMUP);
  }),

  'dropped-spans': inRows(
    ({ title }, pairs, { baseline }) =>
      droppedBy(title, pairs, 'scenario') || droppedBy(baseline.title, pairs, 'baseline'),
  ),

  'rate-not-held': inRows(({ title, scenario }, _, task, { pairs }) => {
    const all = pairs.filter((pair) => pair.task === task.name && pair.scenario === scenario);
    const slices = all.flatMap(slicesOf);
    const late = slices.flatMap((slice) => slice.late ?? []);
    const say = late.length > LATE_SHARE * slices.length ? warn : mention;
    const message = `Left out: ${late.length} of ${slices.length} slices of ${title}, in which the rate was not held (${late[0]})`;
    return late.length > 0 && say(message, 'Use a lower --rate: in duet slices both servers share a core');
  }),

  'sink-fault': inRows(({ title }, pairs) => {
    const faults = pairs.flatMap(({ exported: { baseline, scenario } }) => scenario?.fault ?? baseline?.fault ?? []);
    const count = `${faults.length} of ${pairs.length} pairs`;
    const message = `${title}: exported spans could not be counted in ${count}: ${faults[0]}`;
    return faults.length > 0 && warn(message, 'Look at what the server sends, and measure again');
  }),

  // These make some of the others come about, so they stand before them.
  'other-load': otherLoad,
  steal,

  inconsistent: inRows(({ title, agreement }) => {
    if (agreement?.verdict !== 'disagrees') return null;
    const [measured, expected] = [agreement.measuredUs, agreement.expectedUs].map((us) => `${signed(us / 1e3)} ms`);
    const message = `${title}: the change is ${measured}, but from CPU per request it should be ${expected}`;
    return warn(message, 'Measure more pairs (--pairs). Until they agree, rely on CPU per request', 'latencyUs');
  }),

  'no-line': notALine,
  'tool-bottleneck': toolBottleneck,
  unsaturated,
  'wake-ups': wakeUps,

  // Then it has no cost of its own that could be subtracted.
  pace: inRows(({ title, change: { cpuUs } }, pairs, task) => {
    const costUs = (slices: 'alternating' | 'duets') =>
      meanOf(pairs.map((pair) => cpuPerRequestUs(pair[slices], 'baseline')));
    const times = costUs('duets') / costUs('alternating');
    // Not a number if there are no alternating slices.
    if (!cpuUs || !(Math.abs(times - 1) > PACE_SHARE)) return null;
    const aloneUs = pairs.map(({ alternating }) => difference(alternating, cpuPerRequestUs));
    const alone = `Alone, the change is ${intervalCell('cpuUs', estimate(aloneUs, rowsOf(task).length))}`;
    const message = `Beside ${title}, the baseline took ${times.toFixed(2)} times the CPU per request that it takes alone: its cost depends on the pace of requests, or on caches that servers share. ${alone}`;
    return warn(message, 'If your server has a core to itself, use that change', 'cpuUs');
  }),

  'cores-asleep': inRun(({ keepAwake, configuration }) => {
    if (!('missing' in keepAwake) || configuration.duetSlices === 0) return null;
    const tooHigh = 'On a virtual machine this makes costs read up to 20 % too high';
    const rule = 'KERNEL=="cpu_dma_latency", MODE="0660", GROUP="bench"';
    const remedy = `Run as root, or add a udev rule for a group of yours: ${rule}`;
    return warn(`Idle cores could sleep (${keepAwake.missing}). ${tooHigh}`, remedy);
  }),

  unpinned: inRun(
    ({ pinning }) =>
      'missing' in pinning &&
      warn(`Server and load tool share cores: ${pinning.missing}`, 'Measure on Linux with two cores or more'),
  ),

  // Whether the cost changes from the first duet slice to the last: the mean over slices has half of that in it.
  trend: inRows(({ title, change: { cpuUs } }, pairs) => {
    if (!cpuUs || holdsZero(cpuUs.estimate)) return null;
    const costUs = (duets: DuetSlice[]) => difference(duets, cpuPerRequestUs);
    const risesUs = pairs.map(({ duets }) => costUs(duets.slice(-1)) - costUs(duets.slice(0, 1)));
    const slope = estimate(risesUs, TREND_ROWS);
    const isLarge = Math.abs(slope.value / 2) > TREND_SHARE * Math.abs(cpuUs.estimate.value);
    const moved = `${slope.value > 0 ? 'rose' : 'fell'} by ${asUs(Math.abs(slope.value))}`;
    const message = `${title}: its cost in CPU per request ${moved} from the first duet slice to the last`;
    return isLarge && !holdsZero(slope) && mention(message, LONGER_WARMUP);
  }),

  quick: inRun(
    ({ configuration }) =>
      configuration.quick && warn('This was a quick run', 'Measure without --quick before you publish'),
  ),

  'development-mode': inRun(({ pairs }) => {
    const found = runtimesOf(pairs).find(({ mode }) => mode !== 'production');
    const mode = found?.mode ?? 'unset';
    return found && warn(`A server ran with NODE_ENV ${mode} instead of production`, 'Set NODE_ENV=production');
  }),

  'mixed-runtimes': inTasks((_, pairs) => {
    const found = new Set(runtimesOf(pairs).map(({ name, version }) => `${name} ${version}`));
    const message = `The servers ran on ${[...found].join(' and ')}`;
    return found.size > 1 && warn(message, 'Compare only rows of the same runtime');
  }),

  'frequency-scaling': inRun(({ environment: { frequencyGovernor: governor } }) => {
    const message = `The frequency of the cores is scaled (governor ${governor})`;
    const isScaled = governor !== null && governor !== 'performance';
    return isScaled && mention(message, 'Run cpupower frequency-set -g performance');
  }),

  unproven: inRun(({ suite, proofs, pairs }) => {
    const isIn = (list: { scenario: string }[], name: string) => list.some(({ scenario }) => scenario === name);
    const silent = suite.scenarios.filter(({ name }) => isIn(pairs, name) && !isIn(proofs, name));
    const isProblem = suite.isInstrumentation && silent.length > 0;
    const remedy = 'Declare its telemetry in the suite (docs/suites.md)';
    return isProblem && mention(`Nothing proves what ${listed(silent)} recorded`, remedy);
  }),
};

/** All that speaks against the figures of a result: what changes their reading first, each in the order of the list. */
export function verdictsOf(result: Result, tasks: TaskAnalysis[]): Verdict[] {
  const all = Object.entries(VERDICTS).flatMap(([kind, find]) =>
    find(result, tasks).map((each) => ({ kind, ...each })),
  );
  return all.sort((a, b) => Number(b.changesReading) - Number(a.changesReading));
}

/** By the count of a sink: that holds for every SDK. */
function droppedBy(title: string, pairs: Pair[], side: Side) {
  const lost = lostShare(pairs.map(({ exported }) => exported[side]));
  const message = `${asPercent(lost)} of the spans of ${title} never arrived, so it did less work than it claims`;
  return lost > DROPPED_SHARE && warn(message, 'Use a larger buffer, or an exporter that keeps up');
}

function runtimesOf(pairs: Pair[]): Usage['runtime'][] {
  return pairs.flatMap(({ usage }) => [usage.baseline, usage.scenario].flatMap((each) => each?.runtime ?? []));
}
