import { counted } from '../../words/text.ts';
import { isOfRevisions, type MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A run that ended before its plan did, or that was killed. */
export function findStopped({ pairs, header }: MeasuredRun): Finding[] {
  const { stoppedBy, endedAt, endReason, suite } = header;
  // Of a run for a precision, another warning names the rows that the time did not do for.
  const isOutOfTime = endReason === 'time' && pairs.planned !== null;
  if (stoppedBy === null && endedAt !== null && !isOutOfTime) return [];
  const reason = stoppedBy ?? (isOutOfTime ? '--at-most' : 'it was killed, or still runs');
  const count =
    pairs.planned === null
      ? counted(pairs.measured, 'pair')
      : `${pairs.measured} of ${counted(pairs.planned, 'pair')}`;
  const seen = `the run ended after ${count} (${reason})`;
  const remedy = isOfRevisions(suite) ? 'Measure again' : 'Go on with --resume, or measure again';
  return [finding(`Not all was measured: ${seen}`, remedy)];
}
