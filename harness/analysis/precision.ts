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
  /** What both half-widths are seen beside: it is the baseline for small costs and limits in %. */
  relativeTo: 'cost' | 'baseline';
  /** Whether the row meets the aim, and has the least number of pairs that each row gets. */
  meetsAimByEnoughPairs: boolean;
  /** How many more pairs are likely to do; 0 if the row gets no more. */
  morePairs: number;
}

/** What a row costs, and the mean of the baseline beside it. */
interface CostInterval extends Interval {
  baseline: number;
}

/** How near a row is to an aim, before anything follows from it. */
export type AimProgress = Pick<
  RowPrecision,
  'quantity' | 'costUs' | 'halfWidthUs' | 'wantedUs' | 'baselineUs' | 'relativeTo'
> & {
  /**
   * Whether the row meets the aim, however few its pairs are. One that surely exceeds a limit meets
   * the aim that this is known.
   */
  meetsAim: boolean;
  /** Whether no number of pairs would tell if it meets the aim. */
  cannotBeDecided?: boolean;
};

const UNKNOWN: Omit<AimProgress, 'quantity'> = {
  costUs: null,
  halfWidthUs: Number.POSITIVE_INFINITY,
  wantedUs: Number.NaN,
  baselineUs: Number.NaN,
  relativeTo: 'baseline',
  meetsAim: false,
};

/** Returns for each aim how near each row is that it is about. */
export function precisionsOf(run: Pick<MeasuredRun, 'header' | 'tasks'>): RowPrecision<Aim>[] {
  return aimsOf(run.header).flatMap((aim) =>
    progressOfRows(run, aim).map(([row, progress]) => {
      // A reference gets the fewest pairs: nothing is decided by it.
      const meetsAim = progress.meetsAim || isReference(run.header, row);
      return precisionOf(row, aim, { ...progress, meetsAim }, run.header.configuration);
    }),
  );
}

/** A limit is not about the baseline against itself. */
function progressOfRows(
  run: Pick<MeasuredRun, 'header' | 'tasks'>,
  aim: Aim,
): (readonly [Row, AimProgress])[] {
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
): Omit<AimProgress, 'quantity'> {
  if (estimate === null) return UNKNOWN;
  const { us: wantedUs, relativeTo } = wantedOf(estimate, within);
  return {
    costUs: estimate.value,
    halfWidthUs: halfWidth(estimate),
    wantedUs,
    baselineUs: estimate.baseline,
    relativeTo,
    meetsAim: isKnownWellEnough(estimate, within),
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
): { us: number; relativeTo: RowPrecision['relativeTo'] } {
  if (unit === 'us') return { us: asked, relativeTo: 'cost' };
  const share = asked / 100;
  if (unit === '% of baseline') return { us: share * baseline, relativeTo: 'baseline' };
  const ofCostUs = share * Math.abs(value);
  const ofBaselineUs = (share / 2) * baseline;
  return ofCostUs > ofBaselineUs
    ? { us: ofCostUs, relativeTo: 'cost' }
    : { us: ofBaselineUs, relativeTo: 'baseline' };
}

/** Whether a limit is decided is for the gate to say. */
function besideLimit(comparison: Comparison, limit: Limit): Omit<AimProgress, 'quantity'> {
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
    relativeTo: limit.unit === '%' ? 'baseline' : 'cost',
    meetsAim: kind === 'passes' || kind === 'exceeds',
    // More pairs may tell that a cost that reads too low exceeds the limit, never that it passes.
    cannotBeDecided:
      kind === 'reads-too-high' || (kind === 'reads-too-low' && change <= limit.value),
  };
}

/** Returns what follows from how near a row is to an aim. */
export function precisionOf<Wanted extends AnyAim>(
  row: Row,
  aim: Wanted,
  progress: AimProgress,
  configuration: Configuration,
): RowPrecision<Wanted> {
  const { task, scenario, label } = row;
  const { meetsAim, cannotBeDecided: _, ...known } = progress;
  const pairs = row.pairs.length;
  const meetsAimByEnoughPairs = meetsAim && pairs >= configuration.pairs;
  const morePairs = morePairsOf(row, progress, configuration);
  return { task, scenario, label, aim, pairs, ...known, meetsAimByEnoughPairs, morePairs };
}

function morePairsOf(
  row: Row,
  progress: AimProgress,
  { pairs: leastPairs, mostPairs }: Configuration,
): number {
  const pairs = row.pairs.length;
  const most = mostPairs ?? leastPairs;
  if (pairs < leastPairs) return leastPairs - pairs;
  if (progress.meetsAim || progress.cannotBeDecided) return 0;
  if (progress.costUs === null) return morePairsToTell(row, progress.quantity, most);
  return Math.min(pairsFor(pairs, progress.halfWidthUs, progress.wantedUs), most) - pairs;
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
