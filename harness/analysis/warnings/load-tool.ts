import { asPercent } from '../../words/units.ts';
import { type Baseline, type MeasuredRun, serversOf, type TaskAnalysis } from '../rows.ts';
import { findCpuQuota } from './cpu-quota.ts';
import { type Finding, finding, listed } from './finding.ts';

/** From here on a core counts as full. */
const FULL = 0.9;

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
  return tasks.flatMap((task) => idleServersIn(task, toolCoreCount) ?? []);
}

/** `toolCoreCount`: null if nobody sees how busy the load tool was. */
function idleServersIn(task: TaskAnalysis, toolCoreCount: number | null): Finding | null {
  const idle = serversOf(task).filter((server) => busyShare(server) < FULL);
  const isToolFull =
    toolCoreCount !== null &&
    idle.some(({ figures }) => (figures?.toolBusyCores ?? 0) / toolCoreCount >= FULL);
  // At a steady rate a server is meant to be idle at times.
  const isMeant = task.rate !== null && !isToolFull;
  if (idle.length === 0 || isMeant) return null;
  const least = asPercent(Math.min(...idle.map(busyShare)));
  const titles = listed(idle.map(({ title }) => title));
  const seen = `the server's core was only ${least} busy for ${titles}`;
  const subject = `${task.prefix}The change in ms`;
  if (toolCoreCount === null)
    return finding(
      `${subject} may be waiting: ${seen}, and nobody sees how busy the load tool was`,
      'Use CPU per request alone',
    );
  return isToolFull
    ? finding(
        `${subject} understates the cost: the load tool was full, and ${seen}`,
        'Give the load tool more cores, or use a faster one (--tool)',
      )
    : finding(
        `${subject} is waiting, not work: ${seen}`,
        'Use more connections (--connections), or CPU per request alone',
      );
}

/** Of the server's core; one that was not measured counts as full. */
function busyShare({ figures }: Baseline): number {
  return figures?.busyShare ?? 1;
}
