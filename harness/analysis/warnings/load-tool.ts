import { listed } from '../../words/text.ts';
import { asMs, asPercent } from '../../words/units.ts';
import { type Baseline, type MeasuredRun, serversOf, type TaskAnalysis } from '../rows.ts';
import { findCpuQuota } from './cpu-quota.ts';
import { type Finding, finding } from './finding.ts';

/** From here on a core counts as full. */
const FULL = 0.9;
/** Below this a core is idle for most of the time. */
const MOSTLY_IDLE = 0.5;

/**
 * How long a kernel keeps an acknowledgement back, in µs: 40 ms, and up to two ticks of 4 ms. A
 * server that writes an answer in two small parts sends the second when the first is acknowledged.
 */
const ACKNOWLEDGED_AFTER_US = { least: 40_000, most: 48_000 };

/**
 * Servers that had time left, so that their latency is mostly waiting. It is seen in alternating
 * slices: in duets the cores are full together, and CPU per request does not suffer. Of a container
 * that is stopped for its quota another warning tells: then no load can make them full.
 */
export function findIdleServers(run: MeasuredRun): Finding[] {
  const { tasks, header } = run;
  if (findCpuQuota(run).length > 0) return [];
  const { pinning, tool } = header;
  // Of a load tool elsewhere, nobody sees how busy it was.
  const isUnseen = 'missing' in pinning || tool.host !== null;
  const toolCoreCount = isUnseen ? null : pinning.toolCoreCount;
  return tasks.flatMap((task) => {
    const idle = serversOf(task).filter((server) => busyShare(server) < FULL);
    const others = idle.filter((server) => !isHeldBack(server));
    return [
      heldBackServers(task, idle.filter(isHeldBack)),
      idleServers(task, others, toolCoreCount),
    ].flatMap((found) => found ?? []);
  });
}

/**
 * Whether an answer took as long as an acknowledgement is kept back, and the server did nothing.
 */
function isHeldBack(server: Baseline): boolean {
  const { least, most } = ACKNOWLEDGED_AFTER_US;
  const latencyUs = usualLatencyUs(server);
  return busyShare(server) < MOSTLY_IDLE && least <= latencyUs && latencyUs <= most;
}

/** The median, which no other waiting moves; of a load tool without one, the mean. */
function usualLatencyUs({ figures }: Baseline): number {
  return figures?.p50Us ?? figures?.latencyUs ?? 0;
}

/** More connections don't help, and a steady rate has it, too. */
function heldBackServers({ prefix }: TaskAnalysis, servers: Baseline[]): Finding | null {
  if (servers.length === 0) return null;
  const took = asMs(Math.max(...servers.map(usualLatencyUs)));
  const titles = listed(servers.map(({ title }) => title));
  const seen = `${titles} took ${took}, and its core was only ${leastBusy(servers)} busy`;
  return finding(
    `${prefix}Latency is waiting for a delayed acknowledgement, not work: ${seen}`,
    'Let the server write an answer at once, or set TCP_NODELAY. ' +
      'If it waits that long for something else, go by CPU per request',
  );
}

/** `toolCoreCount`: null if nobody sees how busy the load tool was. */
function idleServers(
  task: TaskAnalysis,
  idle: Baseline[],
  toolCoreCount: number | null,
): Finding | null {
  const isToolFull =
    toolCoreCount !== null &&
    idle.some(({ figures }) => (figures?.toolBusyCores ?? 0) / toolCoreCount >= FULL);
  // At a steady rate a server is meant to be idle at times.
  const isMeant = task.rate !== null && !isToolFull;
  if (idle.length === 0 || isMeant) return null;
  const titles = listed(idle.map(({ title }) => title));
  const seen = `the server's core was only ${leastBusy(idle)} busy for ${titles}`;
  const subject = `${task.prefix}Latency`;
  if (toolCoreCount === null)
    return finding(
      `${subject} may be waiting: ${seen}, and nobody sees how busy the load tool was`,
      'Go by CPU per request',
    );
  return isToolFull
    ? finding(
        `${subject} understates the cost: the load tool was full, and ${seen}`,
        'Give the load tool more cores, or use a faster one (--tool)',
      )
    : finding(
        `${subject} is waiting, not work: ${seen}`,
        'Use more connections (--connections), or go by CPU per request',
      );
}

function leastBusy(servers: Baseline[]): string {
  return asPercent(Math.min(...servers.map(busyShare)));
}

/** Of the server's core; one that was not measured counts as full. */
function busyShare({ figures }: Baseline): number {
  return figures?.busyShare ?? 1;
}
