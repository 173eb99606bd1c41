import type { Configuration, Limit, Precision } from '../result/schema.ts';
import { type Aim, type AnyAim, aimsOf } from './aims.ts';
import type { Comparison } from './compare.ts';
import { limitedChange, verdictOf } from './gate.ts';
import { halfWidth, type Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import { pairsToTell, type Quantity } from './quantities.ts';
import { costByRow } from './row-costs.ts';
import { isReference, type MeasuredRun, type Row, rowsWithNoiseFloor } from './rows.ts';

/**
 * How far the rows of a run are from what is asked of them, if the number of pairs is not fixed,
 * and how many more pairs they need. Intervals are those that are printed and judged: at a level
 * that makes up for such a rule (`estimate.ts`).
 */

/** How near a row is to an aim: one of its own, or one beside another row. */
export interface RowPrecision<Wanted extends AnyAim = AnyAim> {
  task: string;
  scenario: string;
  label: string;
  aim: Wanted;
  /** What tells it. */
  quantity: Quantity;
  pairs: number;
  /**
   * What the row costs, in µs; beside a neighbour, how much more the dearer of the two takes. Null
   * if no figure can be made of its pairs.
   */
  costUs: number | null;
  /** Half of the interval; infinite if nobody knows it. */
  halfWidthUs: number;
  /** What half of the interval may be at most; of a limit, how far the cost is from it. */
  wantedUs: number;
  /** What the baseline takes; beside a neighbour, what the cheaper of the two takes. */
  baselineUs: number;
  /** What both half-widths are held against: small costs and limits in % against the baseline. */
  heldAgainst: 'cost' | 'baseline';
  /** Whether the aim is reached. */
  isKnown: boolean;
  /** How many more pairs are likely to do; 0 if the row gets no more. */
  morePairs: number;
}

/** What a row costs, and the mean of the baseline beside it. */
interface CostInterval extends Interval {
  baseline: number;
}

/** How near a row is, before anything follows from it. */
export type Knowledge = Pick<
  RowPrecision,
  'quantity' | 'costUs' | 'halfWidthUs' | 'wantedUs' | 'baselineUs' | 'heldAgainst'
> & {
  /** Whether its pairs tell what was asked, however few they are. */
  isTold: boolean;
  /** Whether no number of pairs would tell it. */
  isBeyondPairs?: boolean;
};

const UNKNOWN: Omit<Knowledge, 'quantity'> = {
  costUs: null,
  halfWidthUs: Number.POSITIVE_INFINITY,
  wantedUs: Number.NaN,
  baselineUs: Number.NaN,
  heldAgainst: 'baseline',
  isTold: false,
};

/** Returns for each aim how near each row is that it is about. */
export function precisionsOf(run: Pick<MeasuredRun, 'header' | 'tasks'>): RowPrecision<Aim>[] {
  return aimsOf(run.header).flatMap((aim) =>
    knowledgeOf(run, aim).map(([row, knowledge]) => {
      // A reference gets the fewest pairs: nothing is decided by it.
      const isTold = knowledge.isTold || isReference(run.header, row);
      return precisionOf(row, aim, { ...knowledge, isTold }, run.header.configuration);
    }),
  );
}

/** A limit is not about the baseline against itself. */
function knowledgeOf(
  run: Pick<MeasuredRun, 'header' | 'tasks'>,
  aim: Aim,
): (readonly [Row, Knowledge])[] {
  if (aim.kind === 'limit')
    return [...costByRow(run, aim.quantity)].map(
      ([row, cost]) => [row, { quantity: aim.quantity, ...besideLimit(cost, aim.limit) }] as const,
    );
  return run.tasks.flatMap(rowsWithNoiseFloor).map((row) => {
    const quantity = measuredOf(row, aim.quantities);
    return [row, { quantity, ...besidePrecision(row.change[quantity], aim.within) }] as const;
  });
}

/**
 * Returns the first of the quantities that was measured, if by too few answers as yet; the first of
 * all if none was.
 */
function measuredOf({ pairs }: Row, quantities: readonly Quantity[]): Quantity {
  return quantities.find((each) => pairsToTell(pairs, each) !== null) ?? quantities[0] ?? 'cpuUs';
}

function besidePrecision(
  estimate: Estimate | null,
  within: Precision,
): Omit<Knowledge, 'quantity'> {
  if (estimate === null) return UNKNOWN;
  const { us: wantedUs, heldAgainst } = wantedOf(estimate, within);
  return {
    costUs: estimate.value,
    halfWidthUs: halfWidth(estimate),
    wantedUs,
    baselineUs: estimate.baseline,
    heldAgainst,
    isTold: isKnownWellEnough(estimate, within),
  };
}

/**
 * Returns whether a cost needs no more pairs. One whose interval nobody knows always does.
 * @param cost in µs of what decides: CPU per request, or at a steady rate latency
 */
export function isKnownWellEnough(cost: CostInterval, within: Precision): boolean {
  return halfWidth(cost) <= wantedOf(cost, within).us;
}

/**
 * Returns what half of an interval may be at most, in µs. A percentage is of the cost; half of it
 * of the baseline is enough, if that is more.
 */
function wantedOf(
  { value, baseline }: CostInterval,
  { value: asked, unit }: Precision,
): { us: number; heldAgainst: RowPrecision['heldAgainst'] } {
  if (unit === 'us') return { us: asked, heldAgainst: 'cost' };
  const share = asked / 100;
  if (unit === '% of baseline') return { us: share * baseline, heldAgainst: 'baseline' };
  const ofCostUs = share * Math.abs(value);
  const ofBaselineUs = (share / 2) * baseline;
  return ofCostUs > ofBaselineUs
    ? { us: ofCostUs, heldAgainst: 'cost' }
    : { us: ofBaselineUs, heldAgainst: 'baseline' };
}

/** Whether a limit is decided is for the gate to say. */
function besideLimit(comparison: Comparison, limit: Limit): Omit<Knowledge, 'quantity'> {
  const { cost } = comparison;
  if (cost === null) return UNKNOWN;
  const { changeUs, totalUs } = cost;
  const { kind } = verdictOf(comparison, limit);
  const change = limitedChange(cost, limit).value;
  const distance = Math.abs(limit.value - change);
  return {
    costUs: changeUs.value,
    halfWidthUs: halfWidth(changeUs),
    wantedUs: limit.unit === 'us' ? distance : (distance / 100) * totalUs,
    baselineUs: totalUs,
    heldAgainst: limit.unit === '%' ? 'baseline' : 'cost',
    isTold: kind === 'passes' || kind === 'exceeds',
    // More pairs may tell that a cost that reads too low exceeds the limit, never that it passes.
    isBeyondPairs: kind === 'reads-too-high' || (kind === 'reads-too-low' && change <= limit.value),
  };
}

/** Returns what follows from how well a row is known for an aim. */
export function precisionOf<Wanted extends AnyAim>(
  row: Row,
  aim: Wanted,
  knowledge: Knowledge,
  configuration: Configuration,
): RowPrecision<Wanted> {
  const { task, scenario, label } = row;
  const { isTold, isBeyondPairs: _, ...known } = knowledge;
  const pairs = row.pairs.length;
  const isKnown = isTold && pairs >= configuration.pairs;
  const morePairs = morePairsOf(row, knowledge, configuration);
  return { task, scenario, label, aim, pairs, ...known, isKnown, morePairs };
}

function morePairsOf(
  row: Row,
  knowledge: Knowledge,
  { pairs: leastPairs, mostPairs }: Configuration,
): number {
  const pairs = row.pairs.length;
  const most = mostPairs ?? leastPairs;
  if (pairs < leastPairs) return leastPairs - pairs;
  if (knowledge.isTold || knowledge.isBeyondPairs) return 0;
  if (knowledge.costUs === null) return morePairsToTell(row, knowledge.quantity, most);
  return Math.min(pairsFor(pairs, knowledge.halfWidthUs, knowledge.wantedUs), most) - pairs;
}

/**
 * A row of which no figure can be made gets the fewest pairs: it has a fault, or nothing tells its
 * CPU time, and more pairs mend neither. They mend too few answers, if not too many are needed.
 */
function morePairsToTell({ pairs, faults }: Row, quantity: Quantity, mostPairs: number): number {
  const needed = faults.length === 0 ? pairsToTell(pairs, quantity) : null;
  return needed !== null && needed <= mostPairs ? needed - pairs.length : 0;
}

/**
 * Returns about how many pairs in all have an interval of the half-width that is wanted:
 * half-widths shrink by the square root of the number of pairs. At least one more than there are.
 */
export function pairsFor(pairs: number, ownHalfWidth: number, wanted: number): number {
  return Math.max(Math.ceil(pairs * (ownHalfWidth / wanted) ** 2), pairs + 1);
}
