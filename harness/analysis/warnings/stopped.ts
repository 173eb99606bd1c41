import { counted } from '../../words/text.ts';
import { isOfRevisions, type MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A run that ended before its plan did, or that was killed. */
export function findStopped({ pairs, header }: MeasuredRun): Finding[] {
  const { stoppedBy, endedAt, suite } = header;
  if (stoppedBy === null && endedAt !== null) return [];
  const reason = stoppedBy ?? 'it was killed, or still runs';
  const planned = counted(pairs.planned, 'pair');
  const seen = `the run ended after ${pairs.measured} of ${planned} (${reason})`;
  const remedy = isOfRevisions(suite) ? 'Measure again' : 'Go on with --resume, or measure again';
  return [finding(`Not all was measured: ${seen}`, remedy)];
}
