import type { Run } from '../analysis/analysis.ts';
import { ALIKE_SHARE, type Neighbours, neighboursOf } from '../analysis/neighbours.ts';
import { hasFootprint, type Row } from '../analysis/rows.ts';
import { asPercent, signed } from '../words/units.ts';
import { MARK } from './cells.ts';
import { warningsAbout } from './marks.ts';

/** A reader who must look at more neighbours of a kind one by one looks at none. */
const MAX_NAMED = 2;

/**
 * Returns a sentence that says which products of a table surely differ from the one above them: a
 * reader takes the order of a table for a ranking. None, if there are no two that can be compared.
 */
export function neighbourTexts(run: Run): string[] {
  if (!hasFootprint(run)) return [];
  const isUnmarked = ({ task, scenario }: Row) => warningsAbout(run, task, scenario).length === 0;
  const neighbours = neighboursOf(run.tasks, isUnmarked);
  if (neighbours.length === 0) return [];
  const isEachUnmarked = run.tasks.flatMap(({ rows }) => rows).every(isUnmarked);
  const rows = isEachUnmarked ? 'Each row' : `Each row without ${MARK}`;
  return [`${rows} surely takes more CPU than the one above it${exceptionsText(neighbours)}.`];
}

function exceptionsText(neighbours: readonly Neighbours[]): string {
  const alike = neighbours.filter(({ kind }) => kind === 'alike');
  const unclear = neighbours.filter(({ kind }) => kind === 'unclear');
  const texts = [...alikeTexts(alike), ...unclearTexts(unclear)];
  return texts.length === 0 ? '' : `, but ${texts.join('; ')}`;
}

function alikeTexts(alike: readonly Neighbours[]): string[] {
  const within = `alike within ${asPercent(ALIKE_SHARE)}`;
  return alike.length > MAX_NAMED
    ? [`${alike.length} are ${within}`]
    : alike.map((each) => `${namesOf(each)} are ${within}`);
}

function unclearTexts(unclear: readonly Neighbours[]): string[] {
  const [first, second] = unclear;
  if (!first) return [];
  if (second) return [`of ${unclear.length} it is not known`];
  const { low, high } = first.difference;
  const [least, most] = [low, high].map((share) => signed(100 * share, 0));
  return [`of ${namesOf(first)} it is not known (${least} to ${most} %)`];
}

/** Titles have commas of their own. */
function namesOf({ first, second }: Neighbours): string {
  return `"${first.label}" and "${second.title}"`;
}
