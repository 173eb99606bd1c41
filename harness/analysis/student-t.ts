import { qt } from 'lib-r-math.js';

/**
 * Returns the quantile of Student's t distribution: what a t of so many degrees of freedom, which
 * need not be a whole number, falls short of with this probability.
 */
export function studentQuantile(probability: number, degreesOfFreedom: number): number {
  return qt(probability, degreesOfFreedom);
}
