import { asRoundNumber, signed } from '../../words/units.ts';
import type { Growth } from '../growth.ts';
import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

const REMEDY = 'See where it leads with soak, which shows CPU per request over time';

/** Rows whose cost grows with the requests served: the longer a run, the more they cost. */
export function findGrowth({ tasks }: MeasuredRun): Finding[] {
  return validRows(tasks).flatMap((row) => {
    if (row.growth?.direction !== 'grows') return [];
    const seen = `its cost grows with the requests served: ${moveText(row.growth)}`;
    return [finding(`${row.label}: ${seen}`, REMEDY, row)];
  });
}

/** Returns `from +9.4 to +14.3 µs over 68,000 requests`. */
export function moveText({ fromUs, toUs, requests, isOfWarmUp }: Growth): string {
  const where = isOfWarmUp ? ' of the warm-up' : '';
  return `from ${signed(fromUs)} to ${signed(toUs)} µs over ${asRoundNumber(requests)} requests${where}`;
}
