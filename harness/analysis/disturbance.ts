import type { CoreUse, Pair, Result } from '../result/schema.ts';
import { inRun, type Message, percent, say } from './finding.ts';

/** What others may take of a core: the ticks of /proc/stat are hardly finer. */
const OTHER_SHARE = 0.05;
const STEAL_SHARE = 0.01;

export const otherLoad = inRun((result) => {
  const remedy = 'Stop what else runs, or measure on another machine';
  return worst(readingsOf(result), 'other', OTHER_SHARE, (share) => say(`Other processes took ${share}`, remedy));
});

export const steal = inRun((result) => {
  const remedy = 'Measure on a dedicated machine';
  return worst(readingsOf(result), 'steal', STEAL_SHARE, (share) => say(`The hypervisor took ${share}`, remedy));
});

/** What others took of each of some cores in one slice: 1 for all of it. */
interface Reading {
  of: string;
  other: number;
  steal: number;
}

function worst(
  readings: Reading[],
  by: 'other' | 'steal',
  limit: number,
  message: (share: string) => Message,
): Message | null {
  const above = readings.filter((reading) => reading[by] > limit).sort((a, b) => b[by] - a[by]);
  const [first] = above;
  const often = `more than ${percent(limit)} in ${above.length} of ${readings.length} readings`;
  return first ? message(`up to ${percent(first[by])} of ${first.of} (${often})`) : null;
}

/** Of the server's core and of the load tool's cores, in slices of both kinds. */
function readingsOf({ pairs, pinning }: Result): Reading[] {
  if ('missing' in pinning) return [];
  const { toolCoreCount } = pinning;
  return pairs.flatMap(slicesOf).flatMap(({ cores, cpuNs, toolCpuNs }) => {
    if (!cores) return [];
    const { wallNs, server, tool } = cores;
    const reading = (of: string, time: typeof server, ownNs: number, count: number): Reading => ({
      of,
      other: (time.busyNs - ownNs) / wallNs / count,
      steal: time.stealNs / wallNs / count,
    });
    return [
      // Without a clock for the server all of its core's time may be its own.
      reading("the server's core", server, cpuNs ?? server.busyNs, 1),
      reading(`the load tool's core${toolCoreCount > 1 ? 's' : ''}`, tool, toolCpuNs, toolCoreCount),
    ];
  });
}

/** What server and load tool themselves used of the cores. */
interface Slice {
  cores: CoreUse | null;
  cpuNs: number | null;
  toolCpuNs: number;
}

function slicesOf({ alternating, duets }: Pair): Slice[] {
  return [
    ...alternating.flatMap(({ baseline, scenario, cores }) => [
      { ...baseline, cores: cores.baseline },
      { ...scenario, cores: cores.scenario },
    ]),
    ...duets.map(({ baseline, scenario, cores }) => ({
      cores,
      cpuNs: baseline.cpuNs === null || scenario.cpuNs === null ? null : baseline.cpuNs + scenario.cpuNs,
      toolCpuNs: baseline.toolCpuNs + scenario.toolCpuNs,
    })),
  ];
}
