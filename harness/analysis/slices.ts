import type { CpuSliceKind } from '../pair/duets-or-turns.ts';
import type { CpuSlice, Pair } from '../result/schema.ts';

/** Returns all slices of a pair, alternating ones first. */
export function slicesOf(pair: Pair): (Pair['alternating'][number] | CpuSlice)[] {
  return [...pair.alternating, ...cpuSlicesOf(pair)];
}

/** Returns the slices of a pair that tell its CPU per request: turns, or duets. */
export function cpuSlicesOf({ duets, turns }: Pair): CpuSlice[] {
  return turns.length > 0 ? turns : duets;
}

/** Returns which slices of a pair tell its CPU per request; null if it has none. */
export function cpuSliceKindOf({ duets, turns }: Pair): CpuSliceKind | null {
  if (turns.length > 0) return 'turns';
  return duets.length > 0 ? 'duets' : null;
}

/** Returns the same of a row's pairs: all are of the kind of the first one. */
export function rowSliceKindOf([first]: readonly Pair[]): CpuSliceKind | null {
  return first ? cpuSliceKindOf(first) : null;
}
