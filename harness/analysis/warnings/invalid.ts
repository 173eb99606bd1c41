import { type Fault, faultText } from '../../result/faults.ts';
import { counted } from '../../words/text.ts';
import { isValid, type MeasuredRun, type Row, rowsWithNoiseFloor } from '../rows.ts';
import { type Finding, finding } from './finding.ts';
import { LOWER_RATE } from './rate-not-held.ts';

const REMEDY = 'Fix what failed, and measure again';
/** Of the kinds of faults that have a remedy of their own. */
const REMEDIES: Partial<Record<Fault['kind'], string>> = {
  'rate-not-held': LOWER_RATE,
  'no-span-arrived':
    'Switch its tracer on, and let it send to {sink}: the command prove prints what arrives',
};

/** Rows that have no figures, because a pair has a fault. */
export function findInvalidRows({ tasks }: MeasuredRun): Finding[] {
  return tasks.flatMap(rowsWithNoiseFloor).flatMap((row) => invalidRow(row) ?? []);
}

function invalidRow(row: Row): Finding | null {
  const { label, pairs, faults } = row;
  const [first] = faults;
  if (first === undefined) return null;
  const failed = pairs.filter((pair) => !isValid(pair)).length;
  const seen = `${failed} of ${counted(pairs.length, 'pair')} failed. The first fault:`;
  const text = `${label} has no figures: ${seen} ${faultText(first)}`;
  return finding(text, REMEDIES[first.kind] ?? REMEDY, row);
}
