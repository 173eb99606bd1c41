import { mean, sum } from 'simple-statistics';
import type { Pair, Side } from '../result/schema.ts';
import { asPercent } from '../words/units.ts';
import { halfWidth } from './estimate.ts';
import { cpuPerRequestUs, meanOf, wakeUpsPerRequest } from './figures.ts';
import { isValid } from './pairs.ts';
import { rowsOf, type TaskAnalysis } from './rows.ts';
import { inRows, inRun, inTasks, listed, type Measured, mention, warn } from './warning.ts';

/** Who used the cores while they were under load: the servers, the load tool, or somebody else. */

/** From here on a core counts as full. */
const FULL = 0.9;
const FASTER_TOOL = 'Give the load tool more cores, or use a faster one (--tool)';

export const loadTool = inTasks((task, measured) => {
  const all = busyIn(task, measured);
  const limited = all.filter(({ server, tool }) => server < FULL && tool >= FULL);
  const alternating = limited.filter(({ isDuet }) => !isDuet);
  const idle = all.filter(({ isDuet, server, tool }) => !isDuet && server < FULL && !(tool >= FULL));
  const least = asPercent(Math.min(...idle.map(({ server }) => server)));
  const duets = `the load tool was the limit in duet slices of ${described(limited)}`;
  return [
    alternating.length > 0
      ? // At a steady rate the percentiles suffer, too, which stand beside CPU time.
        warn(
          `${task.prefix}The change in ms understates the cost: the load tool was the limit for ${described(alternating)}`,
          FASTER_TOOL,
          task.rate === null ? 'latencyUs' : null,
        )
      : limited.length > 0 && mention(`${task.prefix}CPU per request is not affected, but ${duets}`, FASTER_TOOL),
    // At a steady rate a server is meant to be idle at times.
    task.rate === null &&
      idle.length > 0 &&
      warn(
        `${task.prefix}The change in ms is waiting, not work: the server's core was only ${least} busy for ${listed(idle.map(({ title }) => title))}`,
        'Use more connections (--connections), or CPU per request alone',
        'latencyUs',
      ),
  ];
});

/** By how much a known cost read too high for each, at most, in calibrations on a virtual machine (docs/calibration.md). */
const WAKE_UP_US = 4;
/** Less than this part of what the baseline takes changes nobody's mind. */
const MIN_CHANGE = 0.05;

/**
 * An answer must wake a load tool that sleeps, and the server pays for that. It is no cost of the scenario: a tool that
 * never sleeps beside the baseline does sleep beside any slower server.
 */
export const wakeUps = inRows(({ label, pairs, change: { cpuUs } }, { rate }) => {
  const duets = pairs.flatMap((pair) => pair.duets);
  // One answer may wake several threads.
  const wokenShare = (side: Side) => Math.min(1, wakeUpsPerRequest(duets, side));
  const [baseline, scenario] = [wokenShare('baseline'), wokenShare('scenario')];
  const tooHighUs = (scenario - baseline) * WAKE_UP_US;
  const baselineUs = meanOf(pairs.map((pair) => cpuPerRequestUs(pair.duets, 'baseline')));
  if (!cpuUs || !(tooHighUs > MIN_CHANGE * baselineUs) || tooHighUs <= halfWidth(cpuUs.estimate)) return null;
  const woken = `${asPercent(scenario)} of its answers do it, and ${asPercent(baseline)} of the baseline's`;
  const closed = 'Measure at a steady rate as well (--rate), or see docs/calibration.md';
  const steady = 'Use a load tool that sends evenly if this one does not (--tool), or see docs/calibration.md';
  const text = `${label}: CPU per request may read up to ${tooHighUs.toFixed(1)} µs too high: waking the load tool costs server CPU (${woken})`;
  return warn(text, rate === null ? closed : steady, 'cpuUs');
});

/** With more of its time taken, a core makes other figures, and not only wider intervals. */
const MUCH = 0.1;
/** Who else takes time of a core, and the share from which that is worth a word: ticks of /proc/stat are hardly finer. */
const TAKERS = { 'other processes': 0.05, 'the hypervisor': 0.01 };

export const busyMachine = inRun((measured) => {
  const readings = readingsIn(measured);
  const found = Object.entries(TAKERS).flatMap(([who, limit]) => {
    const shares = readings
      .map(({ of, taken }) => ({ of, share: taken[who as keyof typeof TAKERS] }))
      .filter(({ share }) => Number.isFinite(share));
    const means = [...Map.groupBy(shares, ({ of }) => of)].map(([of, own]) => ({ of, share: mean(own.map(shareOf)) }));
    const [busiest, worst] = [means, shares].map((all) => all.toSorted((a, b) => b.share - a.share)[0]);
    if (busiest && busiest.share > MUCH)
      return [{ isMuch: true, seen: `${who} took ${asPercent(busiest.share)} of ${busiest.of}` }];
    if (!worst || worst.share <= limit) return [];
    const often = `more than ${asPercent(limit)} in ${shares.filter(({ share }) => share > limit).length} of ${shares.length} readings`;
    return [{ isMuch: false, seen: `${who} took up to ${asPercent(worst.share)} of ${worst.of} (${often})` }];
  });
  const much = found.filter(({ isMuch }) => isMuch);
  const seen = listed((much.length > 0 ? much : found).map((each) => each.seen));
  const remedy = 'Stop what else runs, or measure on a dedicated machine';
  if (much.length > 0) return warn(`Figures may be off by more than their intervals say: ${seen}`, remedy);
  return found.length > 0 && mention(`Intervals may be wider than they need be: ${seen}`, remedy);
});

const shareOf = ({ share }: { share: number }) => share;

/** Slices of both kinds: which servers are under load, one or both, and what was used of the cores meanwhile. */
function loadsIn({ alternating, duets }: Pair) {
  const one = (of: Side) => alternating.map((slice) => ({ of, servers: [slice[of]], cores: slice.cores[of] }));
  const both = duets.map(({ baseline, scenario, cores }) => {
    return { of: 'both' as const, servers: [baseline, scenario], cores };
  });
  return [...one('baseline'), ...one('scenario'), ...both];
}

/**
 * How busy a server's core was with its servers, and the load tool's with anything; not a number if nothing tells. In
 * alternating slices that of the baseline in all valid pairs, and each scenario's; in duet slices that of both.
 */
function busyIn(task: TaskAnalysis, measured: Measured) {
  const busy = (title: string, pairs: Pair[], of: Side | 'both') => {
    const slices = pairs
      .filter(isValid)
      .flatMap(loadsIn)
      .filter((slice) => slice.of === of);
    const cpuNs = slices.flatMap(({ servers }) => servers.map((server) => server.cpuNs ?? Number.NaN));
    const seconds = slices.map(({ servers }) => Math.max(...servers.map((server) => server.seconds)));
    const uses = slices.flatMap(({ cores }) => cores ?? []);
    const wallNs = sum(uses.map((use) => use.wallNs));
    const tool = sum(uses.map((use) => use.tool.busyNs)) / wallNs / toolCoreCount(measured);
    return { title, isDuet: of === 'both', server: sum(cpuNs) / 1e9 / sum(seconds), tool };
  };
  const rows = task.rows.flatMap(({ title, pairs }) => [busy(title, pairs, 'scenario'), busy(title, pairs, 'both')]);
  const all = rowsOf(task).flatMap(({ pairs }) => pairs);
  return [busy(task.baseline.title, all, 'baseline'), ...rows];
}

/** With the least busy server and the busiest load tool. */
function described(all: ReturnType<typeof busyIn>): string {
  const least = asPercent(Math.min(...all.map(({ server }) => server)));
  const most = asPercent(Math.max(...all.map(({ tool }) => tool)));
  return `${listed(all.map(({ title }) => title))} (server ${least} busy, load tool ${most})`;
}

/** What others took of the server's core and of the load tool's in each slice of both kinds, as shares of its time. */
function readingsIn(measured: Measured) {
  const toolCores = toolCoreCount(measured);
  const { pinning } = measured.header;
  const isSinkApart = !('missing' in pinning) && pinning.sinkCore !== null;
  const toolName = `the load tool's core${toolCores > 1 ? 's' : ''}`;
  const slices = measured.tasks.flatMap(rowsOf).flatMap(({ pairs }) => pairs.flatMap(loadsIn));
  return slices.flatMap(({ servers, cores }) => {
    if (!cores) return [];
    const { server, tool, wallNs } = cores;
    // Without a clock for a server all of its core's time may be its own.
    const serverNs = servers.map(({ cpuNs }) => cpuNs ?? server.busyNs);
    const toolNs = servers.map(({ toolCpuNs, sinkCpuNs }) => toolCpuNs + (isSinkApart ? 0 : (sinkCpuNs ?? 0)));
    const reading = (of: string, { busyNs, stealNs }: typeof server, ownNs: number[], ns: number) => {
      return { of, taken: { 'other processes': (busyNs - sum(ownNs)) / ns, 'the hypervisor': stealNs / ns } };
    };
    return [
      reading("the server's core", server, serverNs, wallNs),
      reading(toolName, tool, toolNs, wallNs * toolCores),
    ];
  });
}

function toolCoreCount({ header: { pinning } }: Measured): number {
  return 'missing' in pinning ? Number.NaN : pinning.toolCoreCount;
}
