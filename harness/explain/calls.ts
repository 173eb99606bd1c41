import { type Both, SIDES } from '../measure/bench.ts';
import type { Frame, ProfiledSide } from './profiles.ts';

/** CPU time of a request in each profiled pair, on either side, in µs. */
export type PerPair = Both<number[]>;

/** A function where it was called from, whose code it is, and its time without what it calls. */
export interface Call {
  frame: Frame;
  owner: string;
  selfUs: PerPair;
  calls: Call[];
}

const NATIVE = 'native code that no JavaScript called';

/**
 * The samples of all pairs as one tree of calls. A built-in function has no file, and belongs to whom it was called by.
 * `usPerSample`: what a sample of a server stands for in a request.
 */
export function callTree(pairs: Both<ProfiledSide>[], usPerSample: (server: ProfiledSide) => number): Call {
  const zeros = () => pairs.map(() => 0);
  const newCall = (frame: Frame, owner: string): Call => {
    return { frame, owner, selfUs: { baseline: zeros(), scenario: zeros() }, calls: [] };
  };
  const root = newCall({ functionName: 'JavaScript', url: '', lineNumber: -1, columnNumber: -1 }, NATIVE);
  for (const [index, pair] of pairs.entries())
    for (const side of SIDES) {
      const { stacks, packages } = pair[side];
      const within = (caller: Call, frame: Frame): Call => {
        const known = caller.calls.find((call) => keyOf(call.frame) === keyOf(frame));
        if (known) return known;
        // V8 tells of its collector as if it were a function.
        const isGarbage = frame.functionName === '(garbage collector)';
        const call = newCall(frame, isGarbage ? 'garbage collection' : (packages[frame.url] ?? caller.owner));
        caller.calls.push(call);
        return call;
      };
      for (const { frames, samples } of stacks) {
        const { selfUs } = frames.reduce(within, root);
        selfUs[side][index] = (selfUs[side][index] ?? 0) + samples * usPerSample(pair[side]);
      }
    }
  return root;
}

/** Tells one function from another. */
export function keyOf({ functionName, url, lineNumber, columnNumber }: Frame): string {
  return `${functionName} ${url}:${lineNumber}:${columnNumber}`;
}

/** Times without what is called, summed over the tree by what `groupOf` says of a call. */
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
  const add = (side: keyof PerPair) => one[side].map((us, index) => us + (other?.[side][index] ?? 0));
  return { baseline: add('baseline'), scenario: add('scenario') };
}
