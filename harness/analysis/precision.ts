import type { Pair, Precision } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { asPercent, asUs, figureText } from '../words/units.ts';
import { adjustRun, type RunRow } from './ancova.ts';
import type { Estimate } from './compare-estimates.ts';
import { RULE_LEVEL } from './estimate.ts';
import { samplesOf } from './figures.ts';
import { halfWidth, type Interval } from './interval.ts';

/**
 * How well the rows of a run are known, and how many more pairs they need for the precision that
 * was asked for. Intervals are those that are printed: at a level that makes up for such a rule
 * (`estimate.ts`).
 */

/** What is asked for. */
export interface WantedPrecision {
  within: Precision;
  /** A row is never known after fewer. */
  leastPairs: number;
  /** A row gets no more. */
  mostPairs: number;
}

/** A row, and the pairs that tell its cost. */
export interface RowToKnow {
  task: string;
  scenario: string;
  /** What messages call it. */
  label: string;
  /** How many pairs were measured. */
  pairs: number;
  /** Those of which figures are made: all, or none if one of them has a fault. */
  usable: Pair[];
}

/** How well a row is known. */
export interface RowPrecision {
  task: string;
  scenario: string;
  label: string;
  pairs: number;
  /** What the row costs, in µs of CPU per request. Null if no figure can be made of its pairs. */
  costUs: number | null;
  /** Half of the interval; infinite if nobody knows it. */
  halfWidthUs: number;
  /** What half of the interval may be at most. */
  wantedUs: number;
  /** CPU per request of the baseline, which small costs are held against. */
  baselineUs: number;
  /** Whether the row is known as well as was asked for. */
  isKnown: boolean;
  /** How many more pairs are likely to do; 0 if the row gets no more. */
  morePairs: number;
}

/** What a row costs, and the mean of the baseline beside it. */
interface CostInterval extends Interval {
  baseline: number;
}

/** Returns how well each row is known, in the order of the rows. */
export function precisionsOf(rows: readonly RowToKnow[], wanted: WantedPrecision): RowPrecision[] {
  const estimates = estimatesOf(rows);
  return rows.map((row, at) => precisionOf(row, estimates[at] ?? null, wanted));
}

/** Returns the costs of CPU per request, with the intervals of the rule. */
function estimatesOf(rows: readonly RowToKnow[]): (Estimate | null)[] {
  const samples = rows.map(
    ({ task, usable }): RunRow => ({ task, samples: samplesOf(usable, 'cpuUs') }),
  );
  return adjustRun(samples, RULE_LEVEL).estimates;
}

function precisionOf(
  { task, scenario, label, pairs }: RowToKnow,
  estimate: Estimate | null,
  wanted: WantedPrecision,
): RowPrecision {
  const halfWidthUs = estimate ? halfWidth(estimate) : Number.POSITIVE_INFINITY;
  const wantedUs = estimate ? wantedUsOf(estimate, wanted.within) : Number.NaN;
  const isNarrow = estimate !== null && isKnownWellEnough(estimate, wanted.within);
  const isKnown = pairs >= wanted.leastPairs && isNarrow;
  const precision = {
    task,
    scenario,
    label,
    pairs,
    costUs: estimate?.value ?? null,
    halfWidthUs,
    wantedUs,
    baselineUs: estimate?.baseline ?? Number.NaN,
    isKnown,
  };
  return { ...precision, morePairs: morePairsOf(precision, wanted) };
}

/**
 * Returns whether a cost needs no more pairs. One whose interval nobody knows always does.
 * @param cost in µs of CPU per request
 */
export function isKnownWellEnough(cost: CostInterval, within: Precision): boolean {
  return halfWidth(cost) <= wantedUsOf(cost, within);
}

/**
 * Returns what half of an interval may be at most, in µs. A percentage is of the cost; half of it
 * of the baseline is enough, if that is more.
 */
function wantedUsOf({ value, baseline }: CostInterval, { value: asked, unit }: Precision): number {
  if (unit === 'us') return asked;
  const share = asked / 100;
  if (unit === '% of baseline') return share * baseline;
  return Math.max(share * Math.abs(value), (share / 2) * baseline);
}

/**
 * Half-widths shrink by the square root of the number of pairs. A row of which no figure can be
 * made gets the fewest pairs: it has a fault, or nothing tells its CPU time, and more pairs mend
 * neither.
 */
function morePairsOf(
  { pairs, costUs, halfWidthUs, wantedUs, isKnown }: Omit<RowPrecision, 'morePairs'>,
  { leastPairs, mostPairs }: WantedPrecision,
): number {
  if (pairs < leastPairs) return leastPairs - pairs;
  if (isKnown || costUs === null) return 0;
  const neededPairs = Math.ceil(pairs * (halfWidthUs / wantedUs) ** 2);
  return Math.min(Math.max(neededPairs, pairs + 1), mostPairs) - pairs;
}

/** Returns a precision for sentences: `10 %`, `1 % of the baseline`, `2 µs`. */
export function withinText({ value, unit }: Precision): string {
  if (unit === 'us') return asUs(value);
  return figureText(value, '%') + (unit === '%' ? '' : ' of the baseline');
}

/**
 * Returns how well a row is known, and how well it should be: `±14 %, wants ±10 %`. Shares are of
 * the cost, unless the text says that they are of the baseline. Empty if nobody knows it yet.
 */
export function precisionText(precision: RowPrecision, { unit }: Precision): string {
  const { costUs, halfWidthUs, wantedUs, baselineUs } = precision;
  if (costUs === null || !Number.isFinite(halfWidthUs)) return '';
  if (unit === 'us') return `±${asUs(halfWidthUs)}, wants ±${asUs(wantedUs)}`;
  // A cost of more than half the baseline is held against itself.
  const isShareOfCost = unit === '%' && Math.abs(costUs) > baselineUs / 2;
  const whole = isShareOfCost ? Math.abs(costUs) : baselineUs;
  const ofWhat = isShareOfCost ? '' : ' of the baseline';
  return `±${asPercent(halfWidthUs / whole)}${ofWhat}, wants ±${asPercent(wantedUs / whole)}`;
}

/** Returns about how many more pairs a row gets, after a comma; empty if it gets none. */
export function morePairsText({ morePairs }: RowPrecision): string {
  return morePairs > 0 ? `, about ${counted(morePairs, 'more pair')}` : '';
}
