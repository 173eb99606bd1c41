import { mean } from 'simple-statistics';
import { type Both, forBoth } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { type Frame, NO_JAVASCRIPT, type Node, type ProfiledSide } from './profiles.ts';

/** CPU time of a request in each profiled pair, on either side, in µs. */
export type PerPair = Both<number[]>;

/** A function where it was called from, whose code it is, and its time without what it calls. */
export interface Call {
  frame: Frame;
  owner: string;
  selfUs: PerPair;
  calls: Call[];
}

/** What is no function, such as a thread: its own owner. */
export function callOf(name: string, selfUs: PerPair): Call {
  const frame = { functionName: name, url: '', lineNumber: -1, columnNumber: -1 };
  return { frame, owner: name, selfUs, calls: [] };
}

export function perPair<Pair>(pairs: Pair[], usOf: (pair: Pair, side: Side) => number): PerPair {
  return forBoth((side) => pairs.map((pair) => usOf(pair, side)));
}

export function means(us: PerPair): Both<number> {
  return forBoth((side) => mean(us[side]));
}

/**
 * The samples of all pairs as one tree of calls. A built-in function has no file, and belongs to whom it was called by.
 * `usPerSample`: what a sample of a server stands for in a request.
 */
export function callTree(pairs: Both<ProfiledSide>[], usPerSample: (server: ProfiledSide) => number): Call {
  const zeros = () => perPair(pairs, () => 0);
  const root = callOf('native code that no JavaScript called', zeros());
  for (const [index, pair] of pairs.entries())
    for (const server of Object.values(pair)) {
      const { side, nodes, packages } = server;
      const byId = new Map(nodes.map((node) => [node.id, node]));
      const us = usPerSample(server);
      const called = (caller: Call, frame: Frame): Call => {
        const known = caller.calls.find((call) => keyOf(call.frame) === keyOf(frame));
        if (known) return known;
        // V8 tells of its collector as if it were a function.
        const isGarbage = frame.functionName === '(garbage collector)';
        const owner = isGarbage ? 'garbage collection' : (packages[frame.url] ?? caller.owner);
        const call = { frame, owner, selfUs: zeros(), calls: [] };
        caller.calls.push(call);
        return call;
      };
      const add = (caller: Call, { callFrame, hitCount, children }: Node): void => {
        const call = NO_JAVASCRIPT.has(callFrame.functionName) ? caller : called(caller, callFrame);
        if (call !== caller) call.selfUs[side][index] = (call.selfUs[side][index] ?? 0) + hitCount * us;
        for (const child of children.flatMap((id) => byId.get(id) ?? [])) add(call, child);
      };
      if (nodes[0]) add(root, nodes[0]);
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
  return forBoth((side) => one[side].map((us, index) => us + (other?.[side][index] ?? 0)));
}
