import type { Side } from '../result/schema.ts';
import type { Frame, Stack } from './profile.ts';

/** CPU time of a request in each profiled pair, on either side, in µs. */
export type PerPair = Record<Side, number[]>;

/** A function where it was called from, and whose code it is. */
export interface Call {
  frame: Frame;
  owner: string;
  /** Without what it calls. */
  selfUs: PerPair;
  calls: Call[];
}

/** What one server's samples say. */
export interface Sampled {
  stacks: Stack[];
  usPerSample: number;
}

const GARBAGE = 'garbage collection';
const NATIVE = 'native code that no JavaScript called';

/**
 * All pairs as one tree of calls. `packages` tells whose a file is; a built-in function has none, and belongs to whom it
 * was called by.
 */
export function callTree(pairs: Record<Side, Sampled>[], packages: Record<string, string>): Call {
  const call = (frame: Frame, owner: string): Call => {
    const zeros = () => pairs.map(() => 0);
    return { frame, owner, selfUs: { baseline: zeros(), scenario: zeros() }, calls: [] };
  };
  const ownerOf = ({ name, url }: Frame, caller: Call) => {
    if (name === '(garbage collector)') return GARBAGE;
    return packages[url] ?? (caller === root ? NATIVE : caller.owner);
  };
  const within = (caller: Call, frame: Frame): Call => {
    const known = caller.calls.find((each) => keyOf(each.frame) === keyOf(frame));
    if (known) return known;
    const found = call(frame, ownerOf(frame, caller));
    caller.calls.push(found);
    return found;
  };
  const root = call({ name: 'JavaScript', url: '', line: -1, column: -1 }, NATIVE);
  for (const [index, pair] of pairs.entries())
    for (const side of ['baseline', 'scenario'] as const)
      for (const { frames, samples } of pair[side].stacks) {
        const { selfUs } = frames.reduce(within, root);
        selfUs[side][index] = (selfUs[side][index] ?? 0) + samples * pair[side].usPerSample;
      }
  return root;
}

/** Tells one function from another. */
export function keyOf({ name, url, line, column }: Frame): string {
  return `${name} ${url}:${line}:${column}`;
}

/** Own times summed over the tree by what `groupOf` says of a call. */
export function summed(root: Call, groupOf: (call: Call) => string): Map<string, PerPair> {
  const sums = new Map<string, PerPair>();
  const visit = (call: Call) => {
    const group = groupOf(call);
    sums.set(group, plus(call.selfUs, sums.get(group)));
    call.calls.forEach(visit);
  };
  visit(root);
  return sums;
}

/** Pair by pair. */
export function plus(one: PerPair, other?: PerPair): PerPair {
  const add = (side: Side) => one[side].map((us, index) => us + (other?.[side][index] ?? 0));
  return { baseline: add('baseline'), scenario: add('scenario') };
}
