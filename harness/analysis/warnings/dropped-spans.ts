import type { Side } from '../../result/schema.ts';
import { capitalized } from '../../words/text.ts';
import { asPercent } from '../../words/units.ts';
import { lossOf, RECORD_KINDS, type RecordKind } from '../lost-records.ts';
import { MISREADING_EFFECTS, MISREADING_REMEDIES } from '../misreading.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

const WHOSE: Record<Side, string> = { scenario: 'its', baseline: "the baseline's" };

/** Spans or log records that a server was to send under load, and that never arrived. */
export function findLostRecords({ tasks }: MeasuredRun): Finding[] {
  return validRows(tasks).flatMap((row) =>
    RECORD_KINDS.flatMap((kind) => [
      ...lostBy(row, kind, 'scenario'),
      ...lostBy(row, kind, 'baseline'),
    ]),
  );
}

function lostBy(row: Row, kind: RecordKind, side: Side): Finding[] {
  const share = lossOf(row, kind, side);
  if (share === 0) return [];
  const { name } = kind;
  const effect = MISREADING_EFFECTS[side];
  const lost = `${asPercent(share)} of ${WHOSE[side]} ${name} never arrived`;
  const remedy = capitalized(MISREADING_REMEDIES['records-lost']);
  return [finding(`${row.label}: ${effect}: ${lost}`, remedy, row, `${effect}: ${name}`)];
}
