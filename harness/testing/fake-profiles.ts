import type { Frame, Node, ProfiledSide } from '../explain/profiles.ts';
import type { Side } from '../result/schema.ts';

/** A function of a package, in a file that is named after it; a built-in one without an owner. */
export function frame(functionName: string, owner: string): Frame {
  const url = owner === '' ? '' : `/node_modules/${owner}/index.js`;
  return { functionName, url, lineNumber: 1, columnNumber: 1 };
}

/** One server of a profiled pair: samples of 1 ms by stack, of 1,000 requests that took 10 µs each. */
export function fakeSide(
  side: Side,
  stacks: [frames: Frame[], samples: number][],
  more: Partial<ProfiledSide> = {},
): ProfiledSide {
  const urls = stacks.flatMap(([frames]) => frames.map(({ url }) => url)).filter((url) => url !== '');
  return {
    task: 'default',
    scenario: 'other',
    pair: 1,
    side,
    intervalUs: 1_000,
    requests: 1_000,
    cpuNs: 1e7,
    ranShare: 1,
    threadNs: {},
    kernel: null,
    packages: Object.fromEntries(urls.map((url) => [url, url.split('/')[2] as string])),
    nodes: nodesOf(stacks),
    periodUs: 1_000,
    ...more,
  };
}

/** Each stack has nodes of its own. */
function nodesOf(stacks: [frames: Frame[], samples: number][]): Node[] {
  const root: Node = { id: 0, callFrame: frame('(root)', ''), hitCount: 0, children: [] };
  const nodes = [root];
  for (const [frames, samples] of stacks) {
    let caller = root;
    for (const callFrame of frames) {
      const node: Node = { id: nodes.length, callFrame, hitCount: 0, children: [] };
      caller.children.push(node.id);
      nodes.push(node);
      caller = node;
    }
    caller.hitCount = samples;
  }
  return nodes;
}
