import type { Side } from '../../result/schema.ts';
import { asPercent } from '../../words/units.ts';
import { lossOf, RECORD_KINDS, type RecordKind } from '../lost-records.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** What a loss does to the cost, and whose it is. */
const SENSES: Record<Side, { effect: string; whose: string }> = {
  scenario: { effect: 'the cost reads too low', whose: 'its' },
  baseline: { effect: 'the cost reads too high', whose: "the baseline's" },
};

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
  const { effect, whose } = SENSES[side];
  const text = `${row.label}: ${effect}: ${asPercent(share)} of ${whose} ${name} never arrived`;
  return [
    finding(text, 'Use a larger buffer, or an exporter that keeps up', row, `${effect}: ${name}`),
  ];
}
