import { stoppedByOf } from '../../result/stopped-by.ts';
import { counted } from '../../words/text.ts';
import { aimsOf } from '../aims.ts';
import { isOfRevisions, type MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A run that ended before its plan did, or that was killed. */
export function findStopped({ pairs, header }: MeasuredRun): Finding[] {
  const { endReason, suite } = header;
  // If a precision was asked for, another warning names the rows that the time did not do for.
  const namesRows = aimsOf(header).some(({ kind }) => kind === 'precision');
  const isOutOfTime = endReason === 'time' && !namesRows;
  const reason = stoppedByOf(header) ?? (isOutOfTime ? '--at-most' : null);
  if (reason === null) return [];
  const count =
    pairs.planned === null
      ? counted(pairs.measured, 'pair')
      : `${pairs.measured} of ${counted(pairs.planned, 'pair')}`;
  const seen = `the run ended after ${count} (${reason})`;
  return [finding(`Not all was measured: ${seen}`, remedyOf(isOfRevisions(suite), isOutOfTime))];
}

function remedyOf(isOfRevisions: boolean, isOutOfTime: boolean): string {
  const again = isOutOfTime ? 'give more time with --at-most' : 'measure again';
  if (!isOfRevisions) return `Go on with --resume, or ${again}`;
  return isOutOfTime ? `Measure again, and ${again}` : 'Measure again';
}
