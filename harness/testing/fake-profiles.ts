// A fake profile of a server, as Node and Bun write them: samples of 1 ms in functions that a test
// names.
import type { Profiler } from 'node:inspector';
import type { Profile } from '../explain/profiles.ts';

type Frame = Profiler.ProfileNode['callFrame'];

/** A function of a package, in a file that is named after it; a built-in one without an owner. */
export function frame(functionName: string, owner: string): Frame {
  const url = owner === '' ? '' : `/node_modules/${owner}/index.js`;
  return { functionName, url, scriptId: '1', lineNumber: 1, columnNumber: 1 };
}

/**
 * One server of a profiled pair: samples of 1 ms by stack, of 1,000 requests that took 10 µs each.
 */
export function fakeProfile(
  stacks: [frames: Frame[], samples: number][],
  more: Partial<Profile['tracetax']> = {},
): Profile {
  const urls = stacks
    .flatMap(([frames]) => frames.map(({ url }) => url))
    .filter((url) => url !== '');
  return {
    nodes: nodesOf(stacks),
    startTime: 0,
    endTime: 1,
    timeDeltas: [1_000],
    tracetax: {
      task: 'default',
      requests: 1_000,
      cpuNs: 1e7,
      ranShare: 1,
      threadNs: {},
      kernel: null,
      intervalUs: 1_000,
      packages: Object.fromEntries(urls.map((url) => [url, url.split('/')[2] as string])),
      ...more,
    },
  };
}

/** Each stack has nodes of its own. */
function nodesOf(stacks: [frames: Frame[], samples: number][]): Profiler.ProfileNode[] {
  const root = { id: 0, callFrame: frame('(root)', ''), hitCount: 0, children: [] as number[] };
  const nodes = [root];
  for (const [frames, samples] of stacks) {
    let caller = root;
    for (const callFrame of frames) {
      const node = { id: nodes.length, callFrame, hitCount: 0, children: [] };
      caller.children.push(node.id);
      nodes.push(node);
      caller = node;
    }
    caller.hitCount = samples;
  }
  return nodes;
}
