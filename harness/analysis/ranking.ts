import type { NeighbourAim } from './aims.ts';
import { halfWidth } from './interval.ts';
import { ALIKE_SHARE, type Neighbours, neighboursOf } from './neighbours.ts';
import { type AimProgress, precisionOf, type RowPrecision } from './precision.ts';
import type { MeasuredRun, Row } from './rows.ts';

/*
 * A table of products is read as a ranking. So once no row of a run needs pairs for itself, they go
 * to rows that are neither told apart from the one next to them, nor alike.
 */

/**
 * Returns how near each row is to being told apart from each row that it stands next to, or to
 * being called alike.
 * @param isComparable whether a row counts; its neighbours are next to each other if it does not
 */
export function neighbourPrecisions(
  { header, tasks }: Pick<MeasuredRun, 'header' | 'tasks'>,
  isComparable: (row: Row) => boolean,
): RowPrecision<NeighbourAim>[] {
  return neighboursOf(tasks, isComparable).flatMap((neighbours) => {
    const progress = progressOf(neighbours);
    const beside = (row: Row, { label }: Row) =>
      precisionOf(row, { kind: 'neighbour', label }, progress, header.configuration);
    const { first, second } = neighbours;
    return [beside(first, second), beside(second, first)];
  });
}

/** How near two neighbours are to their aim, which is the same for both. */
function progressOf({ kind, difference, firstUs }: Neighbours): AimProgress {
  return {
    quantity: 'cpuUs',
    costUs: difference.value * firstUs,
    halfWidthUs: halfWidth(difference) * firstUs,
    wantedUs: wantedShare(difference.value) * firstUs,
    baselineUs: firstUs,
    relativeTo: 'baseline',
    meetsAim: kind !== 'unclear',
  };
}

/**
 * Returns what half of the interval may be at most. Less than the difference tells two rows apart;
 * what the difference leaves of `ALIKE_SHARE` calls them alike. The wider of the two needs fewer
 * pairs.
 * @param difference not negative: the cheaper row stands first
 */
function wantedShare(difference: number): number {
  return Math.max(difference, ALIKE_SHARE - difference);
}
