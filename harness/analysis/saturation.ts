import { sum } from 'simple-statistics';
import type { CoreUse, DuetSlice, Pair, Result, Side } from '../result/schema.ts';
import { inTasks, listed, type Message, pairsOf, percent, say } from './finding.ts';
import type { TaskAnalysis } from './model.ts';

/** From here on a core counts as full. */
const FULL = 0.9;

const FASTER_TOOL = 'Give the load tool more cores, or use a faster one (--tool)';

export const toolBottleneck = inTasks((task, result) =>
  describe(alternatingBusy(task, result).filter(isLimitedByTool), (titles, server, tool) =>
    say(
      `The load tool was the bottleneck for ${titles} (server ${server} busy, load tool ${tool}): the change in ms is smaller than the server's own`,
      FASTER_TOOL,
    ),
  ),
);

export const toolBottleneckInDuets = inTasks((task, result) =>
  describe(duetBusy(task, result).filter(isLimitedByTool), (titles, servers, tool) =>
    say(
      `The load tool was the bottleneck in duet slices of ${titles} (servers ${servers} busy, load tool ${tool}): CPU per request is not affected`,
      FASTER_TOOL,
    ),
  ),
);

export const unsaturated = inTasks((task, result) => {
  const idle = alternatingBusy(task, result).filter((busy) => busy.server < FULL && !isLimitedByTool(busy));
  return describe(idle, (titles, server) =>
    say(
      `The load kept the server's core only ${server} busy for ${titles}: the change in ms is waiting, not work`,
      'Use more connections (--connections), or read only CPU per request',
    ),
  );
});

/** How busy a server and the load tool's cores were: 1 for full ones, NaN if nothing tells. */
interface Busy {
  title: string;
  server: number;
  tool: number;
}

function isLimitedByTool({ server, tool }: Busy): boolean {
  return server < FULL && tool >= FULL;
}

/** One message for all of them, with the least busy server and the busiest load tool. */
function describe(all: Busy[], message: (titles: string, server: string, tool: string) => Message): Message | null {
  if (all.length === 0) return null;
  const server = Math.min(...all.map((each) => each.server));
  const tool = Math.max(...all.map((each) => each.tool));
  return message(listed(all.map(({ title }) => title)), percent(server), percent(tool));
}

/** The baseline in all valid pairs, and the scenario of each valid row. */
function alternatingBusy(task: TaskAnalysis, result: Result): Busy[] {
  const busy = (of: Pick<TaskAnalysis['baseline'], 'title' | 'figures'>, pairs: Pair[], side: Side): Busy => {
    const cores = pairs.flatMap(({ alternating }) => alternating.map((slice) => slice.cores[side]));
    return { title: of.title, server: of.figures?.busyShare ?? Number.NaN, tool: toolShare(cores, result) };
  };
  const valid = result.pairs.filter((pair) => pair.task === task.name && pair.invalid.length === 0);
  return [
    busy(task.baseline, valid, 'baseline'),
    ...task.rows.map((row) => busy(row, pairsOf(result, task, row.scenario), 'scenario')),
  ];
}

/** Each valid row: its two servers share a core. */
function duetBusy(task: TaskAnalysis, result: Result): Busy[] {
  return task.rows
    .filter(({ figures }) => figures)
    .map(({ title, scenario }) => {
      const duets = pairsOf(result, task, scenario).flatMap((pair) => pair.duets);
      const cores = duets.map((duet) => duet.cores);
      return { title, server: serversShare(duets), tool: toolShare(cores, result) };
    });
}

function serversShare(duets: DuetSlice[]): number {
  const cpuNs = duets.flatMap(({ baseline, scenario }) =>
    [baseline.cpuNs, scenario.cpuNs].map((ns) => ns ?? Number.NaN),
  );
  return sum(cpuNs) / 1e9 / sum(duets.map(({ baseline, scenario }) => Math.max(baseline.seconds, scenario.seconds)));
}

/** How busy the load tool's cores were, with it or with others. */
function toolShare(uses: (CoreUse | null)[], { pinning }: Result): number {
  const seen = uses.filter((use) => use !== null);
  const cores = 'missing' in pinning ? Number.NaN : pinning.toolCoreCount;
  return sum(seen.map(({ tool }) => tool.busyNs)) / sum(seen.map(({ wallNs }) => wallNs)) / cores;
}
