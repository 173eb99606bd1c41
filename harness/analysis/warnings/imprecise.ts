import { counted } from '../../words/text.ts';
import { aimText } from '../aims.ts';
import { precisionsOf, type RowPrecision } from '../precision.ts';
import { shortfallText } from '../precision-text.ts';
import { isOfRevisions, type MeasuredRun, rowKeyOf, rowsWithNoiseFloor } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/**
 * Rows that are not known as well as was asked for. A row with faults has a warning of its own, and
 * of limits the gate tells.
 */
export function findImprecise(run: MeasuredRun): Finding[] {
  const rows = run.tasks.flatMap(rowsWithNoiseFloor);
  const faulty = new Set(rows.filter(({ faults }) => faults.length > 0).map(rowKeyOf));
  const short = precisionsOf(run).filter(
    (each) =>
      each.aim.kind === 'precision' && !each.meetsAimByEnoughPairs && !faulty.has(rowKeyOf(each)),
  );
  const [worst, ...others] = short.toSorted((one, other) => lackOf(other) - lackOf(one));
  if (worst === undefined) return [];
  const seen = `${counted(short.length, 'row')} not ${aimText(worst.aim)}`;
  // The table shows how well each of the others is known.
  const which = others.length === 0 ? ':' : ', least well';
  return [finding(`${seen}${which} ${shortText(worst)}`, remedyOf(run.header))];
}

/**
 * Returns how many times as wide the interval is as it should be; endless for one pair, or none.
 */
function lackOf({ halfWidthUs, wantedUs }: RowPrecision): number {
  return Number.isFinite(halfWidthUs) ? halfWidthUs / wantedUs : Number.POSITIVE_INFINITY;
}

function remedyOf({ endReason, suite }: MeasuredRun['header']): string {
  if (endReason === 'short') return 'Ask for less with --within, or measure on a quieter machine';
  return isOfRevisions(suite)
    ? 'Measure again, and give more time with --at-most'
    : 'Go on with --resume, or give more time with --at-most';
}

function shortText(row: RowPrecision): string {
  return `${row.label} (${shortfallText(row) || counted(row.pairs, 'pair')})`;
}
