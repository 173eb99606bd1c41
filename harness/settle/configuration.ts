import { haveSameScenarios } from '../analysis/rows.ts';
import type { Configuration } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import type { Suite } from '../suite/suite.ts';
import { FULL, QUICK } from './defaults.ts';
import type { MeasureOptions } from './options.ts';
import { pairsRuleFor } from './pairs-rule.ts';

/**
 * Returns how long and how often is measured. The user goes before the suite, and the suite before
 * the defaults. @throws Problem if the user asks for two things at once
 */
export function configurationFor(options: MeasureOptions, suite: Suite): Configuration {
  const own = options.quick ? suite.quick : suite.full;
  const defaults = options.quick ? { ...QUICK, ...own } : { ...FULL, ...own };
  const duetSlices = options.duetSlices ?? defaults.duetSlices;
  const rule = pairsRuleFor(options, suite, {
    fixedPairs: defaults.pairs,
    suitePairs: own?.pairs,
    duetSlices,
  });
  // What a pair gets is not to depend on how many there will be.
  const sharingPairs = rule.mostPairs === null ? rule.pairs : defaults.pairs;
  const sliceSeconds = options.slice ?? defaults.sliceSeconds;
  const wantedSeconds = options.duration ?? defaults.durationSeconds;
  const alternatingSlices = Math.max(1, Math.round(wantedSeconds / sharingPairs / sliceSeconds));
  const { starts } = defaults;
  const idleSeconds = options.idle ?? defaults.idleSeconds;
  return {
    connections: options.connections ?? defaults.connections,
    durationSeconds: alternatingSlices * sliceSeconds * sharingPairs,
    sliceSeconds,
    ...rule,
    isRanking: isRanking(suite, { ...rule, starts, idleSeconds, isQuick: options.quick }),
    alternatingSlices,
    duetSlices,
    warmupSeconds: options.warmup ?? defaults.warmupSeconds,
    starts,
    idleSeconds,
    export: options.export,
    isQuick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
    tasks: options.tasks ?? null,
    scenarios: options.scenarios ?? null,
  };
}

/**
 * Returns whether rows get pairs until they are told apart, too: where a table has products below
 * each other. A first look tells no ranking, and neither does a precision in µs or of the baseline.
 */
function isRanking(
  suite: Suite,
  {
    within,
    starts,
    idleSeconds,
    isQuick,
  }: Pick<Configuration, 'within' | 'starts' | 'idleSeconds' | 'isQuick'>,
): boolean {
  const scenarios = suite.tasks.flatMap((task) => task.scenarios);
  const hasProducts =
    starts > 0 || idleSeconds > 0 || scenarios.some(({ receiver }) => receiver !== undefined);
  const isOfCost = within?.unit === '%' && !suite.tasks.every(isPaced);
  return hasProducts && isOfCost && !isQuick && areBelowEachOther(suite);
}

/** Of a sweep, of revisions, and of several tasks with the same scenarios, tables are others. */
function areBelowEachOther({ tasks, sweep, comparesRevisions }: Suite): boolean {
  const scenariosOfTasks = tasks.map(({ scenarios }) => scenarios.map(({ name }) => name));
  const isMatrix = tasks.length > 1 && haveSameScenarios(scenariosOfTasks);
  return !isMatrix && sweep === undefined && !comparesRevisions;
}
