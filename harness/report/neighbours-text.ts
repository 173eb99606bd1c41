import type { Run } from '../analysis/analysis.ts';
import { MIN_PAIRS } from '../analysis/compare-estimates.ts';
import { ALIKE_SHARE, type Neighbours } from '../analysis/neighbours.ts';
import type { Row } from '../analysis/rows.ts';
import { isMarked } from '../analysis/warnings/list.ts';
import { asPercent } from '../words/units.ts';
import { MARK } from './cells.ts';

/** What stands behind a row's name if it is not known to take more than the row above it. */
const SIGNS: Record<Neighbours['kind'], string> = { apart: '', alike: '≈', unclear: '?' };

/** Returns the sign of a row: how it stands to the row above it; nothing if it takes more. */
export function signOf(
  neighbours: readonly Neighbours[],
  { task, scenario }: Pick<Row, 'task' | 'scenario'>,
): string {
  const found = neighbours.find(
    ({ second }) => second.task === task && second.scenario === scenario,
  );
  return found ? SIGNS[found.kind] : '';
}

/**
 * Returns a sentence that says which products of a table surely differ from the one above them: a
 * reader takes the order of a table for a ranking. None, if there are no two that can be compared.
 */
export function neighbourTexts(run: Run, neighbours: readonly Neighbours[]): string[] {
  if (neighbours.length === 0) return [];
  const rows = run.tasks.flatMap((task) => task.rows);
  const without = rows.some((row) => isMarked(run, row)) ? ` without ${MARK}` : '';
  const ofPairs = rows.some(hasFewPairs) ? `, with ${MIN_PAIRS} pairs or more,` : '';
  // A task has a baseline of its own, and the last task's rows stand above it.
  const inTask = run.tasks.length > 1 ? ' in its task' : '';
  const above = `the one above it${inTask}${without}`;
  const exceptions = exceptionsText(neighbours);
  return [`Each cost in CPU${without}${ofPairs} is surely larger than ${above}${exceptions}.`];
}

/** One without any has no figures that a reader could compare. */
function hasFewPairs({ pairs }: Row): boolean {
  return pairs.length > 0 && pairs.length < MIN_PAIRS;
}

function exceptionsText(neighbours: readonly Neighbours[]): string {
  const kinds = new Set(neighbours.map(({ kind }) => kind));
  const alike = `${SIGNS.alike} (a request of both takes the same within ${asPercent(ALIKE_SHARE)})`;
  const unclear = `${SIGNS.unclear} (not known)`;
  const texts = [
    ...(kinds.has('alike') ? [alike] : []),
    ...(kinds.has('unclear') ? [unclear] : []),
  ];
  return texts.length === 0 ? '' : `, but for ${texts.join(' and ')}`;
}
