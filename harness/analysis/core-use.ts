import { sum } from 'simple-statistics';
import type { CoreUse, Loaded, Pair, Result } from '../result/schema.ts';
import { type Find, inRun, inTasks, listed, mention, percent, warn } from './finding.ts';
import type { Row, TaskAnalysis } from './model.ts';

/** Whose the time of the cores was while they were under load: the servers', the load tool's, or somebody else's. */

/** From here on a core counts as full. */
const FULL = 0.9;

/** What others may take of a core: the ticks of /proc/stat are hardly finer. */
const MOST_TAKEN = { other: 0.05, steal: 0.01 };

const WEAK_TOOL = 'The load tool was the bottleneck';
const FASTER_TOOL = 'Give the load tool more cores, or use a faster one (--tool)';

export const toolBottleneck = inTasks((task, result) => {
  const alternating = alternatingBusy(task, result).filter(isLimitedByTool);
  const duets = task.rows.map((row) => busyIn(result, task, 'both', row)).filter(isLimitedByTool);
  if (alternating.length > 0)
    return warn(`${WEAK_TOOL} for ${described(alternating, 'server')}. The change in ms reads too small`, FASTER_TOOL);
  if (duets.length === 0) return null;
  const servers = described(duets, 'servers');
  return mention(`${WEAK_TOOL} in duet slices of ${servers}. CPU per request is not affected`, FASTER_TOOL);
});

export const unsaturated = inTasks((task, result) => {
  const idle = alternatingBusy(task, result).filter((busy) => busy.server < FULL && !isLimitedByTool(busy));
  const titles = listed(idle.map(({ title }) => title));
  const least = percent(Math.min(...idle.map(({ server }) => server)));
  // At a steady rate a server is meant to be idle at times.
  return (
    task.rate === null &&
    idle.length > 0 &&
    warn(
      `The load kept the server's core only ${least} busy for ${titles}: the change in ms is waiting, not work`,
      'Use more connections (--connections), or read only CPU per request',
    )
  );
});

export const otherLoad = taken('other', 'Other processes', 'Stop what else runs, or measure on another machine');

export const steal = taken('steal', 'The hypervisor', 'Measure on a dedicated machine');

/** Which servers are under load in a slice: one in alternating slices, both in duets. */
const SIDES = ['baseline', 'scenario', 'both'] as const;
type Sides = (typeof SIDES)[number];

/** These servers, and what was used of the cores meanwhile. */
interface Slice {
  servers: Loaded[];
  cores: CoreUse | null;
}

function slicesOf({ alternating, duets }: Pair, sides: Sides): Slice[] {
  if (sides === 'both') return duets.map(({ baseline, scenario, cores }) => ({ servers: [baseline, scenario], cores }));
  return alternating.map((slice) => ({ servers: [slice[sides]], cores: slice.cores[sides] }));
}

type Busy = ReturnType<typeof busyIn>;

function isLimitedByTool({ server, tool }: Busy): boolean {
  return server < FULL && tool >= FULL;
}

/** With the least busy server and the busiest load tool. */
function described(all: Busy[], noun: 'server' | 'servers'): string {
  const least = percent(Math.min(...all.map(({ server }) => server)));
  const most = percent(Math.max(...all.map(({ tool }) => tool)));
  return `${listed(all.map(({ title }) => title))} (${noun} ${least} busy, load tool ${most})`;
}

/** The baseline in all valid pairs, and each scenario in its own. */
function alternatingBusy(task: TaskAnalysis, result: Result): Busy[] {
  return [busyIn(result, task, 'baseline'), ...task.rows.map((row) => busyIn(result, task, 'scenario', row))];
}

/** How busy the server's core was with its servers, and the load tool's with anything: NaN if nothing tells. */
function busyIn(result: Result, task: TaskAnalysis, sides: Sides, row?: Row) {
  const slices = result.pairs
    .filter((pair) => pair.task === task.name && pair.invalid.length === 0)
    .filter((pair) => !row || pair.scenario === row.scenario)
    .flatMap((pair) => slicesOf(pair, sides));
  const cpuNs = slices.flatMap(({ servers }) => servers.map((server) => server.cpuNs ?? Number.NaN));
  const seconds = slices.map(({ servers }) => Math.max(...servers.map((server) => server.seconds)));
  const uses = slices.flatMap(({ cores }) => cores ?? []);
  const toolShare = sum(uses.map(({ tool }) => tool.busyNs)) / sum(uses.map(({ wallNs }) => wallNs));
  return {
    title: row?.title ?? task.baseline.title,
    server: sum(cpuNs) / 1e9 / sum(seconds),
    tool: toolShare / toolCoreCount(result),
  };
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
  const slices = result.pairs.flatMap((pair) => SIDES.flatMap((sides) => slicesOf(pair, sides)));
  return slices.flatMap(({ servers, cores }) => {
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
