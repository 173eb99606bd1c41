import { HAS_CPU_CLOCK } from '../machine/process-clock.ts';
import type { Configuration, Limits, Precision } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import type { MeasureOptions } from './options.ts';

/** How many pairs rows get, and in what time. */
export type PairsRule = Pick<
  Configuration,
  'pairs' | 'mostPairs' | 'within' | 'limits' | 'atMostSeconds'
>;

/** What decides how many pairs there are, and the fewest and the most that it may take. */
interface Rule {
  within: Precision | null;
  limits: Limits | null;
  pairs: number;
  mostPairs: number;
}

/** A rule for who asks for nothing else. */
export interface PrecisionRule extends Rule {
  within: Precision;
}

/**
 * From three pairs, rows whose spread is three times that of the others hold in 94 % of tables;
 * from four, in 96 %.
 */
export const FULL_RULE: PrecisionRule = {
  within: { value: 10, unit: '%' },
  limits: null,
  pairs: 4,
  mostPairs: 30,
};
export const QUICK_RULE: PrecisionRule = { ...FULL_RULE, within: { value: 25, unit: '%' } };
/** Two revisions that differ by 2 % are then told apart. */
export const REVISIONS_RULE: PrecisionRule = {
  within: { value: 1, unit: '% of baseline' },
  limits: null,
  pairs: 5,
  mostPairs: 20,
};

const QUICK_SECONDS = 180;
/** As many rows are measured in that time; more get more, in proportion. */
const QUICK_ROWS = 5;
/** A workflow that waits for longer is not watched. */
const WORKFLOW_SECONDS = 2_400;

/** What is settled before the number of pairs. */
export interface PairsDefaults {
  /** The number of pairs if it is fixed, and nobody names one. */
  fixedPairs: number;
  /** The number that the suite names. */
  suitePairs: number | undefined;
  /** Without any, nothing tells the CPU time of a request. */
  duetSlices: number;
}

/**
 * Returns how many pairs rows get. The user goes before the suite, and a number that the suite
 * names before the rule.
 * @throws Problem if the user fixes the number and asks for a precision, or asks for an answer about
 * what nothing measures
 */
export function pairsRuleFor(
  options: MeasureOptions,
  suite: Suite,
  { fixedPairs, suitePairs, duetSlices }: PairsDefaults,
  environment: NodeJS.ProcessEnv = process.env,
): PairsRule {
  if (options.pairs !== undefined && options.within !== undefined)
    throw new Problem(
      '--pairs fixes the number of pairs, and --within lets the precision decide it',
      'Give one of the two',
    );
  if (options.within !== undefined && !suite.tasks.every(isPaced) && !measuresCpu(duetSlices))
    throw new Problem(
      '--within looks at CPU per request, which nothing measures',
      'Use --pairs, or Linux and --duet-slices 1 or more',
    );
  if (options.failAbove !== undefined && !measuresCpu(duetSlices))
    throw new Problem(
      '--fail-above looks at CPU per request, which nothing measures',
      'Use Linux and --duet-slices 1 or more',
    );
  const namedPairs = options.pairs ?? suitePairs;
  const rule = ruleFor(options, suite);
  const isByDefault = namedPairs === undefined && isRuleUsual(options, suite, duetSlices);
  const isByRule = options.within !== undefined || isByDefault;
  if (rule === null || !isByRule)
    return {
      pairs: namedPairs ?? fixedPairs,
      mostPairs: null,
      within: null,
      limits: null,
      atMostSeconds: options.atMost ?? null,
    };
  return {
    ...rule,
    atMostSeconds: options.atMost ?? defaultSeconds(options.quick, suite, environment),
  };
}

/**
 * Returns the rule if there is one; a quick comparison of revisions has none of its own. Where a
 * gate asks for a limit, its answer is enough, unless the user asks for a precision, too.
 */
function ruleFor(options: MeasureOptions, { comparesRevisions }: Suite): Rule | null {
  const { within, quick } = options;
  const rule = usualRule(quick, comparesRevisions);
  const limits = limitsOf(options);
  if (within !== undefined) return { ...rule, within, limits };
  if (comparesRevisions && quick) return null;
  return limits ? { ...rule, within: null, limits } : rule;
}

function usualRule(isQuick: boolean, comparesRevisions: boolean): PrecisionRule {
  if (comparesRevisions) return REVISIONS_RULE;
  return isQuick ? QUICK_RULE : FULL_RULE;
}

function limitsOf({ failAbove, failAboveP99 }: MeasureOptions): Limits | null {
  if (!failAbove && failAboveP99 === undefined) return null;
  return { cpu: failAbove ?? null, p99Us: failAboveP99 ?? null };
}

/**
 * Returns whether the rule decides the number of pairs although nobody asks for a precision: where
 * CPU per request at full load is the question, and at a steady rate if a gate asks for an answer.
 * Else the number is fixed.
 */
function isRuleUsual(
  options: MeasureOptions,
  { tasks, sweep }: Suite,
  duetSlices: number,
): boolean {
  if (sweep) return false;
  const limits = limitsOf(options);
  const asksForCpu = limits === null || limits.cpu !== null;
  if (asksForCpu && !measuresCpu(duetSlices)) return false;
  return limits !== null || !tasks.some(isPaced);
}

function measuresCpu(duetSlices: number): boolean {
  return HAS_CPU_CLOCK && duetSlices > 0;
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
