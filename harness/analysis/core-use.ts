import { sum } from 'simple-statistics';
import type { CoreUse, Pair, Result, Side } from '../result/schema.ts';
import { type Find, inRun, inTasks, listed, mention, percent, warn } from './finding.ts';
import type { TaskAnalysis } from './task.ts';

/** Whose the time of the cores was while they were under load: the servers', the load tool's, or somebody else's. */

/** From here on a core counts as full. */
const FULL = 0.9;

/** What others may take of a core: the ticks of /proc/stat are hardly finer. */
const MOST_TAKEN = { other: 0.05, steal: 0.01 };

const WEAK_TOOL = 'The load tool was the bottleneck';
const FASTER_TOOL = 'Give the load tool more cores, or use a faster one (--tool)';

export const toolBottleneck = inTasks((task, pairs, result) => {
  const limited = busyIn(task, pairs, result).filter(isLimitedByTool);
  const alternating = limited.filter(({ isDuet }) => !isDuet);
  if (alternating.length > 0)
    return warn(`${WEAK_TOOL} for ${described(alternating, 'server')}. The change in ms reads too small`, FASTER_TOOL);
  const message = `${WEAK_TOOL} in duet slices of ${described(limited, 'servers')}. CPU per request is not affected`;
  return limited.length > 0 && mention(message, FASTER_TOOL);
});

export const unsaturated = inTasks((task, pairs, result) => {
  const idle = busyIn(task, pairs, result).filter(
    (busy) => !busy.isDuet && busy.server < FULL && !isLimitedByTool(busy),
  );
  const least = percent(Math.min(...idle.map(({ server }) => server)));
  const message = `The server's core was only ${least} busy for ${listed(idle)}, so the change in ms is waiting, not work`;
  // At a steady rate a server is meant to be idle at times.
  const isProblem = task.rate === null && idle.length > 0;
  return isProblem && warn(message, 'Use more connections (--connections), or read only CPU per request');
});

export const otherLoad = taken('other', 'Other processes', 'Stop what else runs, or measure on another machine');

export const steal = taken('steal', 'The hypervisor', 'Measure on a dedicated machine');

/** All slices: which servers are under load in them, one or in duets both, and what was used of the cores meanwhile. */
function slicesOf({ alternating, duets }: Pair) {
  const ofSide = (of: Side) => alternating.map((slice) => ({ of, servers: [slice[of]], cores: slice.cores[of] }));
  const both = duets.map(({ baseline, scenario, cores }) => ({ of: 'both', servers: [baseline, scenario], cores }));
  return [...ofSide('baseline'), ...ofSide('scenario'), ...both];
}

type Busy = ReturnType<typeof busyIn>[number];

/**
 * How busy a server's core was with its servers, and the load tool's with anything; not a number if nothing tells. In
 * alternating slices that of the baseline in all valid pairs, and each scenario's; in duet slices that of both.
 */
function busyIn(task: TaskAnalysis, pairs: Pair[], result: Result) {
  const valid = pairs.filter(({ invalid }) => invalid.length === 0);
  const busy = (title: string, own: Pair[], of: Side | 'both') => {
    const slices = own.flatMap(slicesOf).filter((slice) => slice.of === of);
    const cpuNs = slices.flatMap(({ servers }) => servers.map((server) => server.cpuNs ?? Number.NaN));
    const seconds = slices.map(({ servers }) => Math.max(...servers.map((server) => server.seconds)));
    const uses = slices.flatMap(({ cores }) => cores ?? []);
    const toolShare = sum(uses.map(({ tool }) => tool.busyNs)) / sum(uses.map(({ wallNs }) => wallNs));
    const server = sum(cpuNs) / 1e9 / sum(seconds);
    return { title, isDuet: of === 'both', server, tool: toolShare / toolCoreCount(result) };
  };
  const rows = task.rows.flatMap(({ title, scenario }) => {
    const own = valid.filter((pair) => pair.scenario === scenario);
    return [busy(title, own, 'scenario'), busy(title, own, 'both')];
  });
  return [busy(task.baseline.title, valid, 'baseline'), ...rows];
}

function isLimitedByTool({ server, tool }: Busy): boolean {
  return server < FULL && tool >= FULL;
}

/** With the least busy server and the busiest load tool. */
function described(all: Busy[], noun: 'server' | 'servers'): string {
  const least = percent(Math.min(...all.map(({ server }) => server)));
  const most = percent(Math.max(...all.map(({ tool }) => tool)));
  return `${listed(all)} (${noun} ${least} busy, load tool ${most})`;
}

function taken(by: keyof typeof MOST_TAKEN, who: string, remedy: string): Find {
  return inRun((result) => {
    const limit = MOST_TAKEN[by];
    const readings = readingsOf(result);
    const above = readings.filter((reading) => reading[by] > limit).sort((a, b) => b[by] - a[by]);
    const [worst] = above;
    const often = `more than ${percent(limit)} in ${above.length} of ${readings.length} readings`;
    return worst && mention(`${who} took up to ${percent(worst[by])} of ${worst.of} (${often})`, remedy);
  });
}

/** What others took of the server's core, and of the load tool's, in each slice of both kinds: 1 for all of it. */
function readingsOf(result: Result) {
  const toolCores = toolCoreCount(result);
  const isSinkApart = 'sinkCore' in result.pinning;
  const toolName = `the load tool's core${toolCores > 1 ? 's' : ''}`;
  const reading = (of: string, used: CoreUse['tool'], ownNs: number[], wallNs: number) => ({
    of,
    other: (used.busyNs - sum(ownNs)) / wallNs,
    steal: used.stealNs / wallNs,
  });
  return result.pairs.flatMap(slicesOf).flatMap(({ servers, cores }) => {
    if (!cores) return [];
    const { server, tool, wallNs } = cores;
    // Without a clock for a server all of its core's time may be its own.
    const serverNs = servers.map(({ cpuNs }) => cpuNs ?? server.busyNs);
    const toolNs = servers.map(({ toolCpuNs, sinkCpuNs }) => toolCpuNs + (isSinkApart ? 0 : (sinkCpuNs ?? 0)));
    return [
      reading("the server's core", server, serverNs, wallNs),
      reading(toolName, tool, toolNs, wallNs * toolCores),
    ];
  });
}

function toolCoreCount({ pinning }: Result): number {
  return 'missing' in pinning ? Number.NaN : pinning.toolCoreCount;
}
