import type { ExportMode, Fault, Pair } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { asPercent } from '../words/units.ts';
import { busyMachine, loadTool, wakeUps } from './core-use.ts';
import { spansOf } from './figures.ts';
import { faultText, isOfRevisions, isValid, type Row, rowsOf, scenarioOf, type TaskAnalysis } from './rows.ts';
import {
  type Find,
  inInvalidRows,
  inRows,
  inRun,
  inTasks,
  listed,
  type Measured,
  type Warning,
  warn,
} from './warning.ts';

/** If more spans were dropped, a server did less work than it claims. */
const DROPPED_SHARE = 0.001;
/** Chance alone samples so many standard deviations too few in one of three million rows. */
const DROPPED_DEVIATIONS = 5;
/** With more of the slices left out than this, the servers can't take the rate. */
const LATE_SHARE = 0.1;
/** With more of the pairs not steady than this, their figures are in doubt. */
const UNSTEADY_SHARE = 0.25;
const LOWER_RATE = 'Use a lower --rate: in duet slices both servers share a core';
/** Of faults that have their own. */
const REMEDIES: Record<string, string> = {
  'rate not held': LOWER_RATE,
  'no span arrived': 'Switch its tracer on, and let it send to {sink}: the command prove prints what arrives',
};

/** Every kind there is, those that matter most first: a warning is an entry here, and a test that causes it. */
export const WARNINGS: Record<string, Find> = {
  stopped: inRun(({ pairs, header: { stoppedBy, endedAt, suite } }) => {
    const few = pairs.measured > 0 ? 'Intervals are wider than planned' : 'There are no figures';
    const so = pairs.measured < pairs.planned ? few : 'Not all was measured';
    const reason = stoppedBy ?? 'it was killed, or still runs';
    const text = `${so}: the run ended after ${pairs.measured} of ${counted(pairs.planned, 'pair')} (${reason})`;
    const remedy = isOfRevisions(suite) ? 'Measure again' : 'Go on with --resume, or measure again';
    return (stoppedBy !== null || endedAt === null) && warn(text, remedy);
  }),

  invalid: inInvalidRows(({ label, faults, pairs }) => {
    const [first] = faults as [Fault];
    const failed = pairs.filter((pair) => !isValid(pair)).length;
    const seen = `${failed} of ${counted(pairs.length, 'pair')} failed. The first fault: ${faultText(first)}`;
    return warn(`${label} has no figures: ${seen}`, REMEDIES[first.what] ?? 'Fix what failed, and measure again');
  }),

  unproven: inRun(({ header, tasks }) => {
    const titles = (names: string[]) => listed(names.map((name) => scenarioOf(header, name).title));
    const about = (names: string[], why: string, remedy: string) =>
      names.length > 0 && warn(`Nobody knows whether ${titles(names)} recorded all${why}`, remedy);
    const { export: asked } = header.configuration;
    const uncounted = tasks.flatMap(rowsOf).filter((row) => isUncounted(row, asked));
    const alike = 'Let all requests of a task record the same number of spans';
    return [
      header.suite.isInstrumentation &&
        about(tasks.flatMap(unprovenIn), ': nothing proves it', 'Declare its telemetry in the suite'),
      about(
        uncounted.map(({ scenario }) => scenario),
        ' under load: spans could not be counted',
        asked === 'none' ? 'Measure with --export otlp' : alike,
      ),
    ];
  }),

  environment: inRun(({ header: { environment } }) => {
    const files = environment.variables.preloading;
    const text = `Costs may read too low: ${listed(files)} makes the baseline load code before its own, too`;
    return files.length > 0 && warn(text, 'Load what is measured by the command of its scenario');
  }),

  'not-steady': inRun((measured) => {
    const seen = unsteadyIn(measured);
    const isQuick = measured.header.configuration.isQuick;
    return seen !== null && !isQuick && warn(`Costs may read too high: ${seen}`, 'Allow a longer warm-up (--warmup)');
  }),

  // Its warm-up is short, so most of its servers are not steady: one warning says both.
  quick: inRun((measured) => {
    const seen = unsteadyIn(measured);
    const text = `Not for publishing: this was a quick run${seen ? `, so costs may read too high: ${seen}` : ''}`;
    return measured.header.configuration.isQuick && warn(text, 'Measure without --quick');
  }),

  'dropped-spans': inRows(({ label, pairs, receiver }) => {
    // Of a receiver in trouble, the table says what is lost.
    const own = receiver ? 0 : droppedShare(pairs, 'scenario');
    const others = droppedShare(pairs, 'baseline');
    const remedy = 'Use a larger buffer, or an exporter that keeps up';
    return [
      own > 0 && warn(`${label}: the cost reads too low: ${asPercent(own)} of its spans never arrived`, remedy),
      others > 0 &&
        warn(`${label}: the cost reads too high: ${asPercent(others)} of the baseline's spans never arrived`, remedy),
    ];
  }),

  'rate-not-held': inRows(({ label, leftOut }) => {
    if (leftOut.count <= LATE_SHARE * leftOut.of) return null;
    const seen = `the rate was not held in ${leftOut.count} of ${counted(leftOut.of, 'slice')} (${leftOut.why})`;
    const text = `${label}: figures are of fewer slices: ${seen}`;
    return warn(text, LOWER_RATE);
  }),

  // These two make some of the others come about, so they stand before them.
  'busy-machine': busyMachine,
  'load-tool': loadTool,
  'wake-ups': wakeUps,

  unpinned: inRun(({ header: { pinning } }) => {
    const seen = 'missing' in pinning && `it shares cores with the server (${pinning.missing})`;
    const text = `Figures hold the disturbance by the load tool, too: ${seen}`;
    return seen !== false && warn(text, 'Measure on Linux with two cores or more');
  }),

  'mixed-runtimes': inTasks(({ prefix, baseline, rows }, { header: { suite } }) => {
    const names = [baseline.scenario, ...rows.map(({ scenario }) => scenario)];
    const runtimes = suite.scenarios.flatMap(({ name, runtime }) => (runtime && names.includes(name) ? [runtime] : []));
    const found = new Set(runtimes.map(({ name, version }) => `${name} ${version}`));
    const text = `${prefix}Differences are those of runtimes, too: servers ran on ${listed([...found])}`;
    return found.size > 1 && warn(text, 'Compare only rows of the same runtime');
  }),
};

/** All that speaks against the figures of a run, in the order of the list. */
export function warningsOf(measured: Measured): Warning[] {
  return Object.entries(WARNINGS).flatMap(([kind, find]) => find(measured).map((each) => ({ kind, ...each })));
}

/** Names of what was measured without a proof. */
function unprovenIn(task: TaskAnalysis): string[] {
  const rows = rowsOf(task).filter(({ pairs }) => pairs.length > 0);
  const servers = rows.length > 0 ? [task.baseline, ...rows] : [];
  return servers.filter(({ proof }) => proof === null).map(({ scenario }) => scenario);
}

/** Whether it proved that it records spans, and nobody saw them under load. `asked`: by --export, which its proof leaves out. */
function isUncounted({ proof, pairs, export: mode }: Row, asked: ExportMode): boolean {
  if (!proof || proof.spans === 0 || pairs.length === 0) return false;
  return (mode === 'none' && asked === 'none') || spansOf(pairs, 'scenario').countedPairs < pairs.length;
}

/** How many pairs were not steady, if they are too many. */
function unsteadyIn({ tasks }: Measured): string | null {
  const pairs = tasks.flatMap(rowsOf).flatMap((row) => (row.faults.length > 0 ? [] : row.pairs));
  const count = pairs.filter(({ isSteady }) => !isSteady).length;
  const seen = `in ${count} of ${counted(pairs.length, 'pair')} a server was not steady when the warm-up ended`;
  return count > UNSTEADY_SHARE * pairs.length ? seen : null;
}

/** The share of expected spans that never arrived; 0 if that is so little that it does not matter, or may be chance. */
function droppedShare(pairs: Pair[], side: 'baseline' | 'scenario'): number {
  const { expected, received, deviation } = spansOf(pairs, side);
  const isMore = expected - received > Math.max(DROPPED_SHARE * expected, DROPPED_DEVIATIONS * deviation);
  return isMore ? (expected - received) / expected : 0;
}
