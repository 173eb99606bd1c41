import type { Limit } from '../result/schema.ts';
import type { ComparedQuantity, Comparison, CostChange } from './compare.ts';
import type { Interval } from './interval.ts';
import type { MisreadReason } from './misreading.ts';
import { judgedCostsOf } from './row-costs.ts';
import type { MeasuredRun } from './rows.ts';

/**
 * What the gate says of a row. It passes if its interval lies wholly at or below the limit, and
 * exceeds it if it lies wholly above. One of a cost that reads too low may exceed a limit, and
 * passes none; one that reads too high may pass a limit, and exceeds none. One that can't be judged
 * says why.
 */
export type Verdict =
  | { kind: 'passes'; title: string }
  | { kind: 'exceeds'; title: string; cost: CostChange }
  | { kind: 'undecided'; title: string; cost: CostChange }
  | { kind: 'too-few-pairs'; title: string; pairs: number; pairsNeeded?: number | undefined }
  | { kind: 'reads-too-low'; title: string; reason: MisreadReason }
  | { kind: 'reads-too-high'; title: string; reason: MisreadReason }
  | { kind: 'not-judged'; title: string; reason: string };

/** All verdicts by one limit, one for each row. Without a row there is none, and the gate fails. */
export interface Judgement {
  quantity: ComparedQuantity;
  limit: Limit;
  verdicts: Verdict[];
}

/**
 * What the gate says in all. What is not decided is no pass: it is `undecided`, unless something
 * else fails.
 */
export type GateAnswer = 'passed' | 'undecided' | 'failed';

/** What each kind of verdict makes of a gate. */
const ANSWERS: Record<Verdict['kind'], GateAnswer> = {
  passes: 'passed',
  undecided: 'undecided',
  'too-few-pairs': 'undecided',
  'reads-too-low': 'undecided',
  'reads-too-high': 'undecided',
  exceeds: 'failed',
  'not-judged': 'failed',
};

/** What no row of a run may cost more than the baseline; of p99 in µs. */
export interface RunLimits {
  failAbove?: Limit;
  failAboveP99?: number;
}

/** Above what a change is a failure, and whether rows that could not be compared are none. */
export interface GateOptions {
  failAbove?: Limit;
  allowMissing: boolean;
}

/** Returns the judgement by each limit that is set. */
export function judgeRun(
  run: Pick<MeasuredRun, 'header' | 'tasks'>,
  { failAbove, failAboveP99 }: RunLimits,
): Judgement[] {
  const judgements: Judgement[] = [];
  if (failAbove) judgements.push(judge(judgedCostsOf(run), failAbove, 'cpuUs'));
  if (failAboveP99 !== undefined)
    judgements.push(judge(judgedCostsOf(run, 'p99Us'), p99Limit(failAboveP99), 'p99Us'));
  return judgements;
}

/** Returns the judgement by the limit of CPU time, if it is set. */
export function judgeComparisons(comparisons: Comparison[], options: GateOptions): Judgement[] {
  const { failAbove, allowMissing } = options;
  const judged = allowMissing ? comparisons.filter(isThere) : comparisons;
  return failAbove ? [judge(judged, failAbove, 'cpuUs')] : [];
}

/** A row that only has too few pairs is not missing: it may cost more than the limit. */
function isThere(comparison: Comparison): boolean {
  return comparison.cost !== null || comparison.tooFewPairs !== undefined;
}

function judge(rows: Comparison[], limit: Limit, quantity: ComparedQuantity): Judgement {
  return { quantity, limit, verdicts: rows.map((row) => verdictOf(row, limit)) };
}

/** Returns the limit of p99, which is in µs. */
export function p99Limit(us: number): Limit {
  return { value: us, unit: 'us' };
}

/** Returns what the gate says of a row. */
export function verdictOf(comparison: Comparison, limit: Limit): Verdict {
  const { title, cost } = comparison;
  if (cost !== null) return verdictOfCost(title, cost, limit);
  const { missing, tooFewPairs, pairsNeeded } = comparison;
  return tooFewPairs === undefined
    ? { kind: 'not-judged', title, reason: missing }
    : { kind: 'too-few-pairs', title, pairs: tooFewPairs, pairsNeeded };
}

function verdictOfCost(title: string, cost: CostChange, limit: Limit): Verdict {
  const { low, high } = limitedChange(cost, limit);
  const { tooLowBecause, tooHighBecause } = cost;
  if (low > limit.value)
    return tooHighBecause === null
      ? { kind: 'exceeds', title, cost }
      : { kind: 'reads-too-high', title, reason: tooHighBecause };
  if (tooLowBecause !== null) return { kind: 'reads-too-low', title, reason: tooLowBecause };
  return high <= limit.value ? { kind: 'passes', title } : { kind: 'undecided', title, cost };
}

/** Returns whether a verdict leaves open on which side of its limit a row lies. */
export function isUndecided({ kind }: Verdict): boolean {
  return ANSWERS[kind] === 'undecided';
}

/** Returns the change that is held against a limit, in the unit of the limit. */
export function limitedChange({ changeUs, relative }: CostChange, { unit }: Limit): Interval {
  if (unit === 'us') return changeUs;
  const { value, low, high } = relative;
  return { value: value * 100, low: low * 100, high: high * 100 };
}

/**
 * Returns what the gate says in all: of each judgement, which must have rows, and of each row.
 * @param isFinished whether all was measured: if not, nothing passes
 */
export function gateAnswer(judgements: readonly Judgement[], isFinished = true): GateAnswer {
  const answer = answerOfRows(judgements);
  const isUnfinishedPass = answer === 'passed' && !isFinished && judgements.length > 0;
  return isUnfinishedPass ? 'undecided' : answer;
}

function answerOfRows(judgements: readonly Judgement[]): GateAnswer {
  if (judgements.some(({ verdicts }) => verdicts.length === 0)) return 'failed';
  const answers = judgements.flatMap(({ verdicts }) => verdicts.map(({ kind }) => ANSWERS[kind]));
  if (answers.includes('failed')) return 'failed';
  return answers.includes('undecided') ? 'undecided' : 'passed';
}
