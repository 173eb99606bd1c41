import type { Side } from '../result/schema.ts';

export const SIDES = ['baseline', 'scenario'] as const satisfies Side[];

export function otherSide(side: Side): Side {
  return side === 'baseline' ? 'scenario' : 'baseline';
}

/** B S, S B, B S, ... if B is the first: neighbours of a slice are of the other server, whatever drifts. */
export function sidesAt(index: number, first: Side): [Side, Side] {
  return index % 2 === 0 ? [first, otherSide(first)] : [otherSide(first), first];
}

/** Baseline and scenario, or anything else that each of the two has. */
export type Both<T> = Record<Side, T>;

export function forBoth<T>(of: (side: Side) => T): Both<T> {
  return { baseline: of('baseline'), scenario: of('scenario') };
}

/** As Promise.all(); if one fails, the others have ended, too. */
export async function allEnded<All extends readonly unknown[] | []>(work: All) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
