import { type CpuSliceKind, MIN_COST_TO_BE_ALONE } from '../pair/cpu-slices.ts';
import type { AlternatingSlice, Pair, SliceAtOnce } from '../result/schema.ts';
import type { Estimate } from './mean-estimate.ts';

/** A slice of whatever kind. */
export type Slice = AlternatingSlice | SliceAtOnce;

/** Returns all slices of a pair, alternating ones first. */
export function slicesOf(pair: Pair): Slice[] {
  return [...pair.alternating, ...slicesAtOnceOf(pair)];
}

/** Returns the slices of a pair with both servers under load at once. */
export function slicesAtOnceOf(pair: Pair): SliceAtOnce[] {
  return pair[kindAtOnceOf(pair)];
}

/** Returns in which slices a pair has both servers under load at once. */
export function kindAtOnceOf({ turns }: Pair): 'turns' | 'duets' {
  return turns.length > 0 ? 'turns' : 'duets';
}

/** Returns the slices of a pair that tell its CPU per request. */
export function cpuSlicesOf(pair: Pair): Slice[] {
  return pair[pair.cpuFrom ?? kindAtOnceOf(pair)];
}

/** Returns which slices of a pair tell its CPU per request; null if it has none. */
export function cpuSliceKindOf(pair: Pair): CpuSliceKind | null {
  const kind = pair.cpuFrom ?? kindAtOnceOf(pair);
  return pair[kind].length > 0 ? kind : null;
}

/** Returns whether the CPU of a pair is that of each server alone on its core. */
export function isCpuOfServersAlone(pair: Pair): boolean {
  const kind = cpuSliceKindOf(pair);
  return kind === 'turns' || kind === 'alternating';
}

/**
 * Returns whether a row that costs much was measured in duets, as all were before turns. A row that
 * takes less than the baseline does not count, however unlike it is: what reads too high in duets
 * is a cost, and it has none. So this is not `areUnlike`, which says how a row is to be measured.
 * @param cost CPU per request of its scenario minus that of the baseline; null if nothing tells
 */
export function isOfUnlikeDuets(cost: Estimate | null, pairs: readonly Pair[]): boolean {
  const costsMuch = cost !== null && cost.value > MIN_COST_TO_BE_ALONE * cost.baseline;
  return costsMuch && pairs.some((pair) => cpuSliceKindOf(pair) === 'duets');
}

/** Returns a kind as messages name it. */
export function sliceKindText(kind: CpuSliceKind): string {
  return kind === 'alternating' ? 'alternating slices' : kind;
}

/** Returns which slices tell the CPU of a row: all its pairs are like the first one. */
export function rowSliceKindOf([first]: readonly Pair[]): CpuSliceKind | null {
  return first ? cpuSliceKindOf(first) : null;
}

/**
 * Returns of which slices the CPU of two rows is if that is unlike: such figures tell no change.
 * Null if it is alike, or not known of both.
 */
export function unlikeKindsOf(
  old: readonly Pair[],
  current: readonly Pair[],
): [old: CpuSliceKind, current: CpuSliceKind] | null {
  const [before, now] = [rowSliceKindOf(old), rowSliceKindOf(current)];
  return before && now && before !== now ? [before, now] : null;
}
