import { stoppedByOf } from '../../result/stopped-by.ts';
import { counted } from '../../words/text.ts';
import { isOfRevisions, type MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A run that ended before its plan did, or that was killed. */
export function findStopped({ pairs, header }: MeasuredRun): Finding[] {
  const { endReason, suite } = header;
  // Of a run for a precision, another warning names the rows that the time did not do for.
  const isOutOfTime = endReason === 'time' && pairs.planned !== null;
  const reason = stoppedByOf(header) ?? (isOutOfTime ? '--at-most' : null);
  if (reason === null) return [];
  const count =
    pairs.planned === null
      ? counted(pairs.measured, 'pair')
      : `${pairs.measured} of ${counted(pairs.planned, 'pair')}`;
  const seen = `the run ended after ${count} (${reason})`;
  const remedy = isOfRevisions(suite) ? 'Measure again' : 'Go on with --resume, or measure again';
  return [finding(`Not all was measured: ${seen}`, remedy)];
}
