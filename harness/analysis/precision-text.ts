import type { Precision } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { asMs, asPercent, asUs } from '../words/units.ts';
import { type LimitAim, limitText, type NeighbourAim } from './aims.ts';
import type { RowPrecision } from './precision.ts';
import type { Quantity } from './quantities.ts';

/*
 * How well a row is known, in words: for progress, and for warnings.
 */

/** How a quantity is told from CPU per request, which is not named. */
const NAMES: Record<Quantity, string> = {
  cpuUs: '',
  latencyUs: 'latency ',
  p99Us: 'p99 ',
  memoryBytes: 'memory ',
};

/**
 * Returns how well a row is known, and how well it should be: `±14 %, aim ±10 %`. Shares are of
 * the cost, unless the text says that they are of the baseline, as those beside a limit always are:
 * `p99 ±1.4 ms, not yet sure of the limit of 5 ms`. Beside a neighbour they are of all that a
 * request takes of the cheaper one: `beside Other ±8 %, aim ±6 %`. Empty if nobody knows it yet.
 */
export function precisionText(precision: RowPrecision): string {
  const { aim, quantity } = precision;
  if (!isAnyKnown(precision)) return '';
  if (aim.kind === 'limit') return NAMES[quantity] + besideLimitText(precision, aim);
  if (aim.kind === 'neighbour') return besideNeighbourText(precision, aim);
  const { known, wanted } = shortfallOf(precision, aim.within);
  return `${NAMES[quantity]}${known}, aim ${wanted}`;
}

/**
 * Returns how well a row is known, for a sentence that says what was asked for: `±14 %`. What is
 * wanted stands there only if it is something else, as of a small cost: `±8.1 % of the baseline, not
 * ±5 %`. Empty if nobody knows it yet.
 */
export function shortfallText(precision: RowPrecision): string {
  const { aim, quantity } = precision;
  if (aim.kind !== 'precision' || !isAnyKnown(precision)) return precisionText(precision);
  const { known, wanted, isWantedAsAsked } = shortfallOf(precision, aim.within);
  const other = isWantedAsAsked ? '' : `, not ${wanted}`;
  return NAMES[quantity] + known + other;
}

function isAnyKnown({ costUs, halfWidthUs }: RowPrecision): boolean {
  return costUs !== null && Number.isFinite(halfWidthUs);
}

function besideLimitText(
  { halfWidthUs, baselineUs, meetsAimByEnoughPairs }: RowPrecision,
  { limit, quantity }: LimitAim,
): string {
  const half =
    limit.unit === '%' ? asPercent(halfWidthUs / baselineUs) : timeText(halfWidthUs, quantity);
  const isSure = meetsAimByEnoughPairs ? 'sure' : 'not yet sure';
  return `±${half}, ${isSure} of the limit of ${limitText(limit, quantity)}`;
}

function besideNeighbourText(
  { halfWidthUs, wantedUs, baselineUs }: RowPrecision,
  { label }: NeighbourAim,
): string {
  const half = unequalText(halfWidthUs / baselineUs, wantedUs / baselineUs);
  return `beside ${label} ±${half}, aim ±${asPercent(wantedUs / baselineUs)}`;
}

/** How well a row is known beside how well it should be, in the unit that was asked for. */
interface Shortfall {
  known: string;
  wanted: string;
  /** Whether that is the very figure that the user gave. */
  isWantedAsAsked: boolean;
}

function shortfallOf(
  { quantity, costUs, halfWidthUs, wantedUs, baselineUs, relativeTo }: RowPrecision,
  { unit }: Precision,
): Shortfall {
  if (unit === 'us')
    return {
      known: `±${timeText(halfWidthUs, quantity)}`,
      wanted: `±${timeText(wantedUs, quantity)}`,
      isWantedAsAsked: true,
    };
  const isShareOfCost = relativeTo === 'cost';
  const whole = isShareOfCost ? Math.abs(costUs ?? 0) : baselineUs;
  const half = unequalText(halfWidthUs / whole, wantedUs / whole);
  return {
    known: `±${half}${isShareOfCost ? '' : ' of the baseline'}`,
    wanted: `±${asPercent(wantedUs / whole)}`,
    isWantedAsAsked: unit !== '%' || isShareOfCost,
  };
}

/** Returns a share in %, rounded up where it would look like the one that it exceeds. */
function unequalText(share: number, wanted: number): string {
  const text = asPercent(share);
  const looksEqual = share > wanted && text === asPercent(wanted);
  return looksEqual ? `${(Math.ceil(share * 1e3) / 10).toFixed(1)} %` : text;
}

function timeText(us: number, quantity: Quantity): string {
  return quantity === 'cpuUs' ? asUs(us) : asMs(us);
}

/** Returns about how many more pairs a row gets, after a comma; empty if it gets none. */
export function morePairsText({ morePairs }: RowPrecision): string {
  return morePairs > 0 ? `, about ${counted(morePairs, 'more pair')}` : '';
}
