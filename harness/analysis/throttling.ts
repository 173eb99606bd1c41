import { sum } from 'simple-statistics';
import type { ContainerUse, Pair } from '../result/schema.ts';

type CpuUse = NonNullable<ContainerUse['cpu']>;

/** Stops of a smaller share of the time change no mean by much, as at the end of full periods. */
const MIN_STOPPED_TIME = 0.01;

/**
 * Returns how often the quota of their container stopped the servers of these pairs, or their load;
 * undefined if that was for a moment only, or without a quota.
 */
export function throttlingOf(pairs: readonly Pair[]): CpuUse | undefined {
  const uses = pairs.flatMap(({ container }) => container?.cpu ?? []);
  const [longest] = uses.toSorted((one, other) => other.stoppedNs - one.stoppedNs);
  if (longest === undefined) return undefined;
  const stoppedNs = sum(uses.map((use) => use.stoppedNs));
  const loadedNs = sum(pairs.map(({ seconds }) => seconds.slices)) * 1e9;
  if (stoppedNs <= MIN_STOPPED_TIME * loadedNs) return undefined;
  return {
    quotaCores: longest.quotaCores,
    periods: sum(uses.map(({ periods }) => periods)),
    stoppedPeriods: sum(uses.map(({ stoppedPeriods }) => stoppedPeriods)),
    stoppedNs,
  };
}
