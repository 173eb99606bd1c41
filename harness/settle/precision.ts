import { HAS_CPU_CLOCK } from '../machine/process-clock.ts';
import type { Configuration, Precision } from '../result/schema.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import type { MeasureOptions } from './options.ts';
import { isPaced } from './rates.ts';

/** How many pairs rows get, and in what time. */
export type PairsRule = Pick<Configuration, 'pairs' | 'mostPairs' | 'within' | 'atMostSeconds'>;

/** The precision of a full run, and of a quick one. */
const FULL_WITHIN: Precision = { value: 10, unit: '%' };
const QUICK_WITHIN: Precision = { value: 25, unit: '%' };
/**
 * From three pairs, rows whose spread is three times that of the others hold in 94 % of tables; from
 * four, in 96 %.
 */
const LEAST_PAIRS = 4;
const MOST_PAIRS = 30;

const QUICK_SECONDS = 180;
/** As many rows are measured in that time; more get more, in proportion. */
const QUICK_ROWS = 5;
/** A workflow that waits for longer is not watched. */
const WORKFLOW_SECONDS = 2_400;

/**
 * Returns how many pairs rows get. The user goes before the suite, and a number that the suite names
 * before the rule, which asks for CPU per request at full load: where something else is asked for, a
 * fixed number of pairs is measured.
 * @param fixedPairs the number if it is fixed, and nobody names one
 * @param suitePairs the number that the suite names
 * @throws Problem if the user fixes the number and asks for a precision
 */
export function pairsRuleFor(
  options: MeasureOptions,
  suite: Suite,
  fixedPairs: number,
  suitePairs: number | undefined,
  environment: NodeJS.ProcessEnv = process.env,
): PairsRule {
  if (options.pairs !== undefined && options.within !== undefined)
    throw new Problem(
      '--pairs fixes the number of pairs, and --within lets the precision decide it',
      'Give one of the two',
    );
  const usesRule = options.pairs === undefined && suitePairs === undefined && asksForCpu(suite);
  const byDefault = options.quick ? QUICK_WITHIN : FULL_WITHIN;
  const within = options.within ?? (usesRule ? byDefault : null);
  if (within === null)
    return {
      pairs: options.pairs ?? suitePairs ?? fixedPairs,
      mostPairs: null,
      within: null,
      atMostSeconds: options.atMost ?? null,
    };
  return {
    pairs: LEAST_PAIRS,
    mostPairs: MOST_PAIRS,
    within,
    atMostSeconds: options.atMost ?? defaultSeconds(options.quick, suite, environment),
  };
}

/** Returns whether CPU per request at full load is the question, and can be measured. */
function asksForCpu({ tasks, sweep, full, quick, comparesRevisions }: Suite): boolean {
  const hasFootprint = [full, quick].some((pace) => pace?.starts || pace?.idleSeconds);
  const isOther = sweep || hasFootprint || comparesRevisions || tasks.some(isPaced);
  return HAS_CPU_CLOCK && !isOther;
}

function defaultSeconds(
  isQuick: boolean,
  { tasks }: Suite,
  { CI }: NodeJS.ProcessEnv,
): number | null {
  if (isQuick) {
    const rows = tasks.reduce((count, { scenarios }) => count + scenarios.length, 0);
    return Math.ceil(QUICK_SECONDS * Math.max(1, rows / QUICK_ROWS));
  }
  return CI === 'true' ? WORKFLOW_SECONDS : null;
}
