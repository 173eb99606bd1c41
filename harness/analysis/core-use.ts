import { mean, sum } from 'simple-statistics';
import type { Pair, Result, Side } from '../result/schema.ts';
import { asPercent } from '../words/units.ts';
import { wakeUpsPerRequest } from './figures.ts';
import { isValid, pairsOf } from './pairs.ts';
import type { TaskAnalysis } from './rows.ts';
import { type Find, inRows, inRun, inTasks, listed, mention, warn } from './warning.ts';

/** Whose the time of the cores was while they were under load: the servers', the load tool's, or somebody else's. */

/** From here on a core counts as full. */
const FULL = 0.9;

const WEAK_TOOL = 'The load tool was the bottleneck';
const FASTER_TOOL = 'Give the load tool more cores, or use a faster one (--tool)';

export const toolBottleneck = inTasks((task, pairs, result) => {
  const limited = busyIn(task, pairs, result).filter(({ isLimitedByTool }) => isLimitedByTool);
  const alternating = limited.filter(({ isDuet }) => !isDuet);
  const tooSmall = `${WEAK_TOOL} for ${described(alternating, 'server')}. The change in ms reads too small`;
  // At a steady rate the percentiles suffer, too, which stand beside CPU time.
  if (alternating.length > 0) return warn(tooSmall, FASTER_TOOL, task.rate === null ? 'latencyUs' : null);
  const message = `${WEAK_TOOL} in duet slices of ${described(limited, 'servers')}. CPU per request is not affected`;
  return limited.length > 0 && mention(message, FASTER_TOOL);
});

export const unsaturated = inTasks((task, pairs, result) => {
  const alternating = busyIn(task, pairs, result).filter(({ isDuet }) => !isDuet);
  const idle = alternating.filter(({ server, isLimitedByTool }) => server < FULL && !isLimitedByTool);
  const least = asPercent(Math.min(...idle.map(({ server }) => server)));
  const message = `The server's core was only ${least} busy for ${listed(idle)}, so the change in ms is waiting, not work`;
  // At a steady rate a server is meant to be idle at times.
  const isProblem = task.rate === null && idle.length > 0;
  return isProblem && warn(message, 'Use more connections (--connections), or use CPU per request alone', 'latencyUs');
});

/** A smaller difference, as a part of all answers, does not show in the cost. */
const LEAST_WOKEN = 0.1;
/** By how much a known cost read too high for each, at most, in calibrations on a virtual machine (docs/calibration.md). */
const WAKE_UP_US = 4;

/**
 * An answer must wake a load tool that sleeps, and the server pays for that. It is no cost of the scenario: a tool that
 * never sleeps beside the baseline does sleep beside any slower server.
 */
export const wakeUps = inRows(({ title, change: { cpuUs } }, pairs, { rate }) => {
  const duets = pairs.flatMap((pair) => pair.duets);
  // One answer may wake several threads.
  const wokenShare = (side: Side) => Math.min(1, wakeUpsPerRequest(duets, side));
  const [baseline, scenario] = [wokenShare('baseline'), wokenShare('scenario')];
  const more = scenario - baseline;
  const tooHigh = `${title}: CPU per request reads up to ${(more * WAKE_UP_US).toFixed(1)} µs too high`;
  const woken = `${asPercent(scenario)} of its answers had to wake the load tool (baseline: ${asPercent(baseline)})`;
  const closed = 'Measure at a steady rate as well (--rate), or see docs/calibration.md';
  const steady = 'Use a load tool that sends evenly if this one does not (--tool), or see docs/calibration.md';
  const remedy = rate === null ? closed : steady;
  return cpuUs && more > LEAST_WOKEN && warn(`${tooHigh}, because ${woken}`, remedy, 'cpuUs');
});

const ANOTHER_MACHINE = 'Stop what else runs, or measure on another machine';

/** With more of its time taken, a core makes other figures, and not only wider intervals. */
const MUCH = 0.1;

// The ticks of /proc/stat are hardly finer than these shares of a core.
export const otherLoad = taken('Other processes', 0.05, ({ busyNs, ownNs }) => busyNs - ownNs, ANOTHER_MACHINE);
export const steal = taken('The hypervisor', 0.01, ({ stealNs }) => stealNs, 'Measure on a dedicated machine');

/** All slices: which servers are under load in them, one or in duets both, and what was used of the cores meanwhile. */
function loadsIn({ alternating, duets }: Pair) {
  const ofSide = (of: Side) => alternating.map((slice) => ({ of, servers: [slice[of]], cores: slice.cores[of] }));
  const both = duets.map(({ baseline, scenario, cores }) => ({ of: 'both', servers: [baseline, scenario], cores }));
  return [...ofSide('baseline'), ...ofSide('scenario'), ...both];
}

/**
 * How busy a server's core was with its servers, and the load tool's with anything; not a number if nothing tells. In
 * alternating slices that of the baseline in all valid pairs, and each scenario's; in duet slices that of both.
 */
function busyIn(task: TaskAnalysis, pairs: Pair[], result: Result) {
  const valid = pairs.filter(isValid);
  const busy = (title: string, own: Pair[], of: Side | 'both') => {
    const slices = own.flatMap(loadsIn).filter((slice) => slice.of === of);
    const cpuNs = slices.flatMap(({ servers }) => servers.map((server) => server.cpuNs ?? Number.NaN));
    const seconds = slices.map(({ servers }) => Math.max(...servers.map((server) => server.seconds)));
    const uses = slices.flatMap(({ cores }) => cores ?? []);
    const wallNs = sum(uses.map((use) => use.wallNs));
    const server = sum(cpuNs) / 1e9 / sum(seconds);
    const tool = sum(uses.map((use) => use.tool.busyNs)) / wallNs / toolCoreCount(result);
    return { title, isDuet: of === 'both', server, tool, isLimitedByTool: server < FULL && tool >= FULL };
  };
  const rows = task.rows.flatMap(({ title, scenario }) => {
    const own = valid.filter((pair) => pair.scenario === scenario);
    return [busy(title, own, 'scenario'), busy(title, own, 'both')];
  });
  return [busy(task.baseline.title, valid, 'baseline'), ...rows];
}

/** With the least busy server and the busiest load tool. */
function described(all: ReturnType<typeof busyIn>, noun: 'server' | 'servers'): string {
  const least = asPercent(Math.min(...all.map(({ server }) => server)));
  const most = asPercent(Math.max(...all.map(({ tool }) => tool)));
  return `${listed(all)} (${noun} ${least} busy, load tool ${most})`;
}

/** Much of the time of a core in the mean, which changes how figures are to be read; or more than the limit in any reading. */
function taken(who: string, limit: number, takenNs: (reading: Reading) => number, remedy: string): Find {
  return inRun((result) => {
    const shares = readingsOf(result).map((each) => ({ of: each.of, share: takenNs(each) / each.wallNs }));
    for (const [core, own] of Map.groupBy(shares, ({ of }) => of)) {
      const share = mean(own.map((each) => each.share));
      const message = `${who} took ${asPercent(share)} of ${core}, so the figures are those of a busy machine`;
      if (share > MUCH) return warn(message, remedy);
    }
    const above = shares.filter(({ share }) => share > limit).sort((a, b) => b.share - a.share);
    const [worst] = above;
    const often = `more than ${asPercent(limit)} in ${above.length} of ${shares.length} readings`;
    return worst && mention(`${who} took up to ${asPercent(worst.share)} of ${worst.of} (${often})`, remedy);
  });
}

type Reading = ReturnType<typeof readingsOf>[number];

/** The time of the server's core and of the load tool's in each slice of both kinds, and what the kit itself took of it. */
function readingsOf(result: Result) {
  const toolCores = toolCoreCount(result);
  const isSinkApart = 'sinkCore' in result.pinning;
  const toolName = `the load tool's core${toolCores > 1 ? 's' : ''}`;
  return pairsOf(result)
    .flatMap(loadsIn)
    .flatMap(({ servers, cores }) => {
      if (!cores) return [];
      const { server, tool, wallNs } = cores;
      // Without a clock for a server all of its core's time may be its own.
      const serverNs = servers.map(({ cpuNs }) => cpuNs ?? server.busyNs);
      const toolNs = servers.map(({ toolCpuNs, sinkCpuNs }) => toolCpuNs + (isSinkApart ? 0 : (sinkCpuNs ?? 0)));
      return [
        { of: "the server's core", ...server, ownNs: sum(serverNs), wallNs },
        { of: toolName, ...tool, ownNs: sum(toolNs), wallNs: wallNs * toolCores },
      ];
    });
}

function toolCoreCount({ pinning }: Result): number {
  return 'missing' in pinning ? Number.NaN : pinning.toolCoreCount;
}
