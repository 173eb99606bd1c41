import type { Precision } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { asMs, asPercent, asUs } from '../words/units.ts';
import { type Aim, limitText } from './aims.ts';
import type { Quantity } from './figures.ts';
import type { RowPrecision } from './precision.ts';

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
 * Returns how well a row is known, and how well it should be: `±14 %, wants ±10 %`, or
 * `p99 ±1.4 ms, not yet sure of the limit of 5 ms`. Shares are of the cost, unless the text says
 * that they are of the baseline, as those beside a limit always are. Empty if nobody knows it yet.
 */
export function precisionText(precision: RowPrecision): string {
  const { aim, quantity, costUs, halfWidthUs } = precision;
  if (costUs === null || !Number.isFinite(halfWidthUs)) return '';
  const text =
    aim.kind === 'limit' ? besideLimitText(precision, aim) : wantedText(precision, aim.within);
  return NAMES[quantity] + text;
}

function besideLimitText(
  { halfWidthUs, baselineUs, isKnown }: RowPrecision,
  { limit, quantity }: Extract<Aim, { kind: 'limit' }>,
): string {
  const half =
    limit.unit === '%' ? asPercent(halfWidthUs / baselineUs) : timeText(halfWidthUs, quantity);
  const isSure = isKnown ? 'sure' : 'not yet sure';
  return `±${half}, ${isSure} of the limit of ${limitText(limit, quantity)}`;
}

function wantedText(
  { quantity, costUs, halfWidthUs, wantedUs, baselineUs }: RowPrecision,
  { unit }: Precision,
): string {
  if (unit === 'us')
    return `±${timeText(halfWidthUs, quantity)}, wants ±${timeText(wantedUs, quantity)}`;
  // A cost of more than half the baseline is held against itself.
  const isShareOfCost = unit === '%' && Math.abs(costUs ?? 0) > baselineUs / 2;
  const whole = isShareOfCost ? Math.abs(costUs ?? 0) : baselineUs;
  const ofWhat = isShareOfCost ? '' : ' of the baseline';
  const half = unequalText(halfWidthUs / whole, wantedUs / whole);
  return `±${half}${ofWhat}, wants ±${asPercent(wantedUs / whole)}`;
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
