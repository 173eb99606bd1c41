import { clarityOf, type Interval } from './interval.ts';
import type { TooLowReason } from './reads-too-low.ts';

/**
 * What became of a cost. `worse`: it surely rose. `better`: it surely fell. `insignificant`: it may
 * be the same, and a large change is ruled out. `unclear`: none of these is known.
 */
export type Direction = 'worse' | 'better' | 'insignificant' | 'unclear';

/** A change as far as it tells what became of a cost. */
interface Change {
  /** As a part of all that a request took before. */
  relative: Interval;
  tooLowBecause: TooLowReason | null;
}

/** Returns what became of a cost. */
export function directionOf({ relative, tooLowBecause }: Change): Direction {
  const clarity = clarityOf(relative, 1);
  if (clarity === 'significant' && relative.value > 0) return 'worse';
  if (tooLowBecause !== null) return 'unclear';
  return clarity === 'significant' ? 'better' : clarity;
}
