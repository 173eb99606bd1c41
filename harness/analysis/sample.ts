import type { CpuSliceKind } from '../pair/cpu-slices.ts';

/** One quantity of the two servers of one pair, in the unit of the quantity. */
export interface Sample {
  baseline: number;
  scenario: number;
  /**
   * What the scenario is known to take more, if only what is measured beyond that is asked for. Its
   * errors are still those of a server that takes all of it.
   */
  knownCost?: number;
  /**
   * In what slices it was measured, if that matters: the baseline takes more beside another server
   * than alone, so speeds are only compared among samples of one kind. Alternating slices are
   * noisier.
   */
  slices?: CpuSliceKind | null;
  /**
   * Requests a second, if that matters; null for as many as the server answers. A server that
   * sleeps between requests takes a more varied time for each.
   */
  rate?: number | null;
}

/** Returns scenario minus baseline, less what is known. */
export function differenceOf({ knownCost = 0, ...sample }: Sample): number {
  return scenarioMinusBaseline(sample) - knownCost;
}

/** Returns scenario minus baseline. */
export function scenarioMinusBaseline({ baseline, scenario }: Sample): number {
  return scenario - baseline;
}
