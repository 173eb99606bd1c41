import type { Side } from '../result/schema.ts';

export const SIDES = ['baseline', 'scenario'] as const satisfies Side[];

export function otherSide(side: Side): Side {
  return side === 'baseline' ? 'scenario' : 'baseline';
}

/** Baseline and scenario, or anything else that each of the two has. */
export type Both<T> = Record<Side, T>;

export function forBoth<T>(of: (side: Side) => T): Both<T> {
  return { baseline: of('baseline'), scenario: of('scenario') };
}

/** The same with one, and then with the other. */
export async function inTurn<T>(first: Side, work: (side: Side) => Promise<T>): Promise<Both<T>> {
  const one = await work(first);
  const other = await work(otherSide(first));
  return forBoth((side) => (side === first ? one : other));
}

/** The same with both at the same time; with `first` a moment earlier. */
export async function atOnce<T>(first: Side, work: (side: Side) => Promise<T>): Promise<Both<T>> {
  const [one, other] = await allEnded([work(first), work(otherSide(first))]);
  return forBoth((side) => (side === first ? one : other));
}

/** As Promise.all(); if one fails, the others have ended, too. */
export async function allEnded<All extends readonly unknown[] | []>(work: All) {
  await Promise.allSettled(work);
  return Promise.all(work);
}
