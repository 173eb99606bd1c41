import { clarityOf, type Interval } from './interval.ts';
import type { Misreading } from './misreading.ts';

/**
 * What became of a cost. `worse`: it surely rose. `better`: it surely fell. `insignificant`: it may
 * be the same, and a large change is ruled out. `unclear`: none of these is known.
 */
export type Direction = 'worse' | 'better' | 'insignificant' | 'unclear';

/** A change as far as it tells what became of a cost. */
interface Change extends Misreading {
  /** As a part of all that a request took before. */
  relative: Interval;
}

/** Returns what became of a cost. One that rose although it reads too low surely rose. */
export function directionOf({ relative, tooLowBecause, tooHighBecause }: Change): Direction {
  const clarity = clarityOf(relative, 1);
  const isMisread = tooLowBecause !== null || tooHighBecause !== null;
  if (clarity !== 'significant') return isMisread ? 'unclear' : clarity;
  if (relative.value > 0) return tooHighBecause === null ? 'worse' : 'unclear';
  return tooLowBecause === null ? 'better' : 'unclear';
}
