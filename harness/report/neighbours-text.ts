import type { Run } from '../analysis/analysis.ts';
import { ALIKE_SHARE, type Neighbours, neighboursOf } from '../analysis/neighbours.ts';
import { hasFootprint } from '../analysis/rows.ts';
import { counted, listed } from '../words/text.ts';
import { asPercent, signed } from '../words/units.ts';
import { MARK } from './cells.ts';
import { warningsAbout } from './marks.ts';

/** A reader who must look at more neighbours one by one looks at none. */
const MAX_NAMED = 4;

/**
 * Returns a sentence that says which products of a table surely differ from the one above them: a
 * reader takes the order of a table for a ranking. None, if there are no two that can be compared.
 */
export function neighbourTexts(run: Run): string[] {
  if (!hasFootprint(run)) return [];
  const isUnmarked = ({ task, scenario }: { task: string; scenario: string }) =>
    warningsAbout(run, task, scenario).length === 0;
  const neighbours = neighboursOf(run.tasks, isUnmarked);
  if (neighbours.length === 0) return [];
  const isEachUnmarked = run.tasks.flatMap(({ rows }) => rows).every(isUnmarked);
  const rows = isEachUnmarked ? 'Each row' : `Each row without ${MARK}`;
  return [`${rows} surely takes more CPU than the one above it${exceptionsText(neighbours)}.`];
}

function exceptionsText(neighbours: readonly Neighbours[]): string {
  const exceptions = neighbours.filter(({ kind }) => kind !== 'apart');
  if (exceptions.length === 0) return '';
  if (exceptions.length > MAX_NAMED) return `, but for ${countText(exceptions)}`;
  return `, but ${exceptions.map(namedText).join('; ')}`;
}

function countText(exceptions: readonly Neighbours[]): string {
  const alike = exceptions.filter(({ kind }) => kind === 'alike').length;
  const unclear = exceptions.length - alike;
  const texts = [
    ...(alike > 0 ? [`${counted(alike, 'row')} alike within ${asPercent(ALIKE_SHARE)}`] : []),
    ...(unclear > 0 ? [`${counted(unclear, 'row')} of which it is not known`] : []),
  ];
  return listed(texts);
}

function namedText({ kind, first, second, difference }: Neighbours): string {
  // Titles have commas of their own.
  const names = `"${first.label}" and "${second.title}"`;
  if (kind === 'alike') return `${names} are alike within ${asPercent(ALIKE_SHARE)}`;
  const [least, most] = [difference.low, difference.high].map((share) => signed(100 * share, 0));
  return `of ${names} it is not known (${least} to ${most} %)`;
}
