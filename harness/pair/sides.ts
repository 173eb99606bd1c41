import type { Side } from '../result/schema.ts';

/** The two sides of a pair. */
export const SIDES = ['baseline', 'scenario'] as const satisfies Side[];

/** The same of each of the two sides. */
export type Both<T> = Record<Side, T>;

/** Returns what the function makes of each side. */
export function forBoth<T>(makeFor: (side: Side) => T): Both<T> {
  return { baseline: makeFor('baseline'), scenario: makeFor('scenario') };
}

export function otherSide(side: Side): Side {
  return side === 'baseline' ? 'scenario' : 'baseline';
}

/**
 * Returns the order of the two sides in the slice with this index: B S, S B, B S, ... if B is the
 * first. Neighbours of a slice are then slices of the other server, so a drift of the machine meets
 * both alike.
 */
export function sidesAt(index: number, first: Side): [Side, Side] {
  return index % 2 === 0 ? [first, otherSide(first)] : [otherSide(first), first];
}

/** Waits as Promise.all() does; if one fails, the others have ended, too, before it throws. */
export async function allEnded<All extends readonly unknown[] | []>(work: All) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
