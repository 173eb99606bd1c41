import { type Fault, faultText } from '../result/faults.ts';
import type { Pair, Side } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { asPercent } from '../words/units.ts';
import { busyMachine, loadTool, wakeUps } from './core-use.ts';
import { countSpans } from './figures.ts';
import { isOfRevisions, isValid, type MeasuredRun, type Row, rowsOf, serversOf } from './rows.ts';
import { type Find, listed, validRows, type Warning, warn } from './warning.ts';

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
const REMEDIES: Partial<Record<Fault['kind'], string>> = {
  'rate-not-held': LOWER_RATE,
  'no-span-arrived':
    'Switch its tracer on, and let it send to {sink}: the command prove prints what arrives',
};

/** Every kind there is, those that matter most first: a warning is an entry here, and a test that causes it. */
export const WARNINGS: Record<string, Find> = {
  stopped: ({ pairs, header: { stoppedBy, endedAt, suite } }) => {
    const reason = stoppedBy ?? 'it was killed, or still runs';
    const seen = `the run ended after ${pairs.measured} of ${counted(pairs.planned, 'pair')} (${reason})`;
    const remedy = isOfRevisions(suite) ? 'Measure again' : 'Go on with --resume, or measure again';
    return [
      (stoppedBy !== null || endedAt === null) && warn(`Not all was measured: ${seen}`, remedy),
    ];
  },

  invalid: ({ tasks }) =>
    tasks.flatMap(rowsOf).map((row) => {
      const { label, pairs, faults } = row;
      const [first] = faults;
      const failed = pairs.filter((pair) => !isValid(pair)).length;
      const seen = `${failed} of ${counted(pairs.length, 'pair')} failed. The first fault:`;
      const remedy = REMEDIES[first?.kind ?? 'other'] ?? 'Fix what failed, and measure again';
      return (
        first !== undefined &&
        warn(`${label} has no figures: ${seen} ${faultText(first)}`, remedy, row)
      );
    }),

  unproven: ({ tasks, header: { suite, configuration } }) => {
    const about = (servers: { title: string }[], why: string, remedy: string) => {
      const titles = listed(servers.map(({ title }) => title));
      return (
        servers.length > 0 && warn(`Nobody knows whether ${titles} recorded all${why}`, remedy)
      );
    };
    const isDropped = configuration.export === 'none';
    const unproven = tasks
      .flatMap(serversOf)
      .filter(({ proof }) => suite.isInstrumentation && !proof);
    const isUncounted = ({ proof, pairs, export: mode }: Row) => {
      const isCounted = countSpans(pairs, 'scenario').countedPairs === pairs.length;
      // A proof has an exporter, also with --export none.
      return (
        proof &&
        proof.spans > 0 &&
        pairs.length > 0 &&
        (!isCounted || (mode === 'none' && isDropped))
      );
    };
    const uncounted = tasks.flatMap((task) =>
      rowsOf(task)
        .filter(isUncounted)
        .map((row) => (row === task.noiseFloor ? task.baseline : row)),
    );
    const remedy = isDropped
      ? 'Measure with --export otlp'
      : 'Let all requests of a task record the same number of spans';
    return [
      about(unproven, ': nothing proves it', 'Declare its telemetry in the suite'),
      about(uncounted, ' under load: spans could not be counted', remedy),
    ];
  },

  environment: ({ header }) => {
    const files = header.environment.variables.preloading;
    const text = `Costs may read too low: ${listed(files)} makes the baseline load code before its own, too`;
    return [files.length > 0 && warn(text, 'Load what is measured by the command of its scenario')];
  },

  'not-steady': ({ tasks, header }) => {
    const pairs = validRows(tasks).flatMap((row) => row.pairs);
    const count = pairs.filter(({ isSteady }) => !isSteady).length;
    const seen = `in ${count} of ${counted(pairs.length, 'pair')} a server was not steady when the warm-up ended`;
    // Of a quick run the next one says so.
    const isMany = count > UNSTEADY_SHARE * pairs.length && !header.configuration.isQuick;
    return [
      isMany && warn(`Costs may read too high: ${seen}`, 'Allow a longer warm-up (--warmup)'),
    ];
  },

  quick: ({ header }) => {
    const text =
      'Not for publishing: the warm-up of a quick run is short, so costs may read too high';
    return [header.configuration.isQuick && warn(text, 'Measure without --quick')];
  },

  'dropped-spans': ({ tasks }) =>
    validRows(tasks).flatMap((row) => {
      const { label, pairs, receiver } = row;
      // Of a receiver in trouble, the table says what is lost.
      const own = receiver ? 0 : droppedShare(pairs, 'scenario');
      const others = droppedShare(pairs, 'baseline');
      const about = (reads: string, share: number, whose: string) => {
        const text = `${label}: the cost reads ${reads}: ${asPercent(share)} of ${whose} spans never arrived`;
        return share > 0 && warn(text, 'Use a larger buffer, or an exporter that keeps up', row);
      };
      return [about('too low', own, 'its'), about('too high', others, "the baseline's")];
    }),

  'rate-not-held': ({ tasks }) =>
    validRows(tasks).map((row) => {
      const { count, of, why } = row.leftOut;
      const seen = `the rate was not held in ${count} of ${counted(of, 'slice')} (${why})`;
      return (
        count > LATE_SHARE * of &&
        warn(`${row.label}: figures are of fewer slices: ${seen}`, LOWER_RATE, row)
      );
    }),

  // These two make some of the others come about, so they stand before them.
  'busy-machine': busyMachine,
  'load-tool': loadTool,
  'wake-ups': wakeUps,

  unpinned: ({ header: { pinning } }) => {
    if (!('missing' in pinning)) return [];
    const text = `Figures hold the disturbance by the load tool, too: it shares cores with the server (${pinning.missing})`;
    return [warn(text, 'Measure on Linux with two cores or more')];
  },

  'mixed-runtimes': ({ tasks, header: { suite } }) =>
    tasks.map((task) => {
      const names = serversOf(task).map(({ scenario }) => scenario);
      const own = suite.scenarios.filter(({ name }) => names.includes(name));
      const found = new Set(
        own.flatMap(({ runtime }) => (runtime ? `${runtime.name} ${runtime.version}` : [])),
      );
      const text = `${task.prefix}Differences are those of runtimes, too: servers ran on ${listed([...found])}`;
      return found.size > 1 && warn(text, 'Compare only rows of the same runtime');
    }),
};

/** All that speaks against the figures of a run, in the order of the list. */
export function warningsOf(measured: MeasuredRun): Warning[] {
  return Object.entries(WARNINGS).flatMap(([kind, find]) =>
    find(measured).flatMap((each) => (each ? { kind, ...each } : [])),
  );
}

/** The share of expected spans that never arrived; 0 if that is so little that it does not matter, or may be chance. */
function droppedShare(pairs: Pair[], side: Side): number {
  const { expected, received, deviation } = countSpans(pairs, side);
  const isMore =
    expected - received > Math.max(DROPPED_SHARE * expected, DROPPED_DEVIATIONS * deviation);
  return isMore ? (expected - received) / expected : 0;
}
