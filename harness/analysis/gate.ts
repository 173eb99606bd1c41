import type { Run } from './analysis.ts';
import { type ComparedQuantity, type Comparison, type CostChange, costsOf } from './compare.ts';

/** What no row may add to a request: µs, or % of all that a request took before. */
export interface Limit {
  value: number;
  unit: 'us' | '%';
}

/** What the gate says of a row. One that can't be judged says why. */
export type Verdict =
  | { kind: 'passes'; title: string }
  | { kind: 'exceeds'; title: string; cost: CostChange }
  | { kind: 'not-judged'; title: string; reason: string };

/** All verdicts by one limit, one for each row. Without a row there is none, and the gate fails. */
export interface Judgement {
  quantity: ComparedQuantity;
  limit: Limit;
  verdicts: Verdict[];
}

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
export function judgeRun(run: Run, { failAbove, failAboveP99 }: RunLimits): Judgement[] {
  const judgements: Judgement[] = [];
  if (failAbove) judgements.push(judge(costsOf(run), failAbove, 'cpuUs'));
  if (failAboveP99 !== undefined) {
    const limit: Limit = { value: failAboveP99, unit: 'us' };
    judgements.push(judge(costsOf(run, 'p99Us'), limit, 'p99Us'));
  }
  return judgements;
}

/** Returns the judgement by the limit of CPU time, if it is set. */
export function judgeComparisons(comparisons: Comparison[], options: GateOptions): Judgement[] {
  const { failAbove, allowMissing } = options;
  const judged = allowMissing ? comparisons.filter(({ cost }) => cost !== null) : comparisons;
  return failAbove ? [judge(judged, failAbove, 'cpuUs')] : [];
}

function judge(rows: Comparison[], limit: Limit, quantity: ComparedQuantity): Judgement {
  return { quantity, limit, verdicts: rows.map((row) => verdictOf(row, limit)) };
}

function verdictOf({ title, cost, missing }: Comparison, limit: Limit): Verdict {
  if (cost === null) return { kind: 'not-judged', title, reason: missing };
  return isAbove(cost, limit) ? { kind: 'exceeds', title, cost } : { kind: 'passes', title };
}

/** Whether the interval of the change lies wholly above the limit. */
export function isAbove({ changeUs, relative }: CostChange, { value, unit }: Limit): boolean {
  return (unit === 'us' ? changeUs.low : relative.low * 100) > value;
}

/** Whether each judgement has rows, and each row passes. */
export function isPassed(judgements: Judgement[]): boolean {
  return judgements.every(
    ({ verdicts }) => verdicts.length > 0 && verdicts.every(({ kind }) => kind === 'passes'),
  );
}
