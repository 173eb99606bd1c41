import type { Frame, ProfiledSide } from '../explain/profiles.ts';
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
    packages: Object.fromEntries(urls.map((url) => [url, url.split('/')[2] as string])),
    stacks: stacks.map(([frames, samples]) => ({ frames, samples })),
    periodUs: 1_000,
    ...more,
  };
}
