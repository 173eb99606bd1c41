import type { Profiler, Runtime } from 'node:inspector';
import { mean } from 'simple-statistics';
import type { Profile } from './profiles.ts';

/** CPU time of a request in one server, and whose code took it. */
export interface Spent {
  us: number;
  /** A package, a thread, or a part of the kernel. */
  owner: string;
  /** The function; undefined for threads and the kernel. */
  call?: Runtime.CallFrame;
}

/** What V8 and JavaScriptCore show as functions, and no JavaScript runs. */
const NO_JAVASCRIPT = new Set(['(root)', '(program)', '(idle)']);
const GARBAGE_COLLECTOR = '(garbage collector)';
/**
 * Times between two samples that are single periods, as parts of the interval: it varies by a fifth
 * on purpose.
 */
const SINGLE_PERIOD = { above: 0.75, below: 1.6 };

/**
 * Returns what was sampled of a server, and what its other threads took, for each request.
 * @param factor by which all times are scaled
 */
export function spentIn(profile: Profile, factor: number): Spent[] {
  const { requests, intervalUs, ranShare, threadNs } = profile.tracetax;
  const periodUs = meanPeriodUs(profile.timeDeltas, intervalUs);
  const usPerSample = (periodUs * ranShare * factor) / requests;
  return [...spentInSamples(profile, usPerSample), ...spentBy(threadNs, factor / requests / 1e3)];
}

/** Returns what was counted by name, of what is no function. */
export function spentBy(counts: Readonly<Record<string, number>>, usEach: number): Spent[] {
  return Object.entries(counts).map(([owner, count]) => ({ owner, us: count * usEach }));
}

function spentInSamples({ nodes, tracetax }: Profile, usPerSample: number): Spent[] {
  const nodesById = new Map(nodes.map((node) => [node.id, node]));
  const spent: Spent[] = [];

  /** A built-in function has no file, and belongs to what called it. */
  function visit({ callFrame, hitCount = 0, children = [] }: Profiler.ProfileNode, caller: string) {
    const isGarbage = callFrame.functionName === GARBAGE_COLLECTOR;
    const owner = isGarbage ? 'garbage collection' : (tracetax.packages[callFrame.url] ?? caller);
    const isOwn = hitCount > 0 && !NO_JAVASCRIPT.has(callFrame.functionName);
    if (isOwn) spent.push({ us: hitCount * usPerSample, owner, call: callFrame });
    for (const id of children) {
      const child = nodesById.get(id);
      if (child) visit(child, owner);
    }
  }

  const [root] = nodes;
  if (root) visit(root, 'native code that no JavaScript called');
  return spent;
}

/**
 * Returns the real time from one sample to the next, which is longer than asked for: the sampler
 * wakes late. JavaScriptCore keeps no sample if no JavaScript runs, so most times are multiples of
 * a period.
 */
function meanPeriodUs(timeDeltas: readonly number[] = [], intervalUs: number): number {
  const single = timeDeltas.filter((deltaUs) => {
    const periods = deltaUs / intervalUs;
    return periods > SINGLE_PERIOD.above && periods < SINGLE_PERIOD.below;
  });
  return single.length > 0 ? mean(single) : intervalUs;
}
