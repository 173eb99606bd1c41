import { NS_PER_TICK } from '../processes/processes.ts';
import type { CoreUse } from '../result/schema.ts';
import { readText } from '../words/files.ts';
import { type Pinning, parseCpuList } from './pinning.ts';

/** What was used of some cores, in ns: by processes, and by the hypervisor. */
type CoreTime = CoreUse['server'];

/**
 * Returns what reads the use of the cores since this call. It reads null if nothing is pinned, or
 * if /proc/stat has no such cores, as in LXC.
 */
export function watchCores(pinning: Pinning | undefined): () => CoreUse | null {
  const startedMs = performance.now();
  const before = readStat();
  return () => {
    if (!pinning) return null;
    const after = readStat();
    const server = timeBetween(before, after, pinning.serverCore);
    const tool = timeBetween(before, after, pinning.toolCores);
    const isKnown = Number.isFinite(server.busyNs + tool.busyNs);
    return isKnown ? { wallNs: (performance.now() - startedMs) * 1e6, server, tool } : null;
  };
}

function readStat(): string {
  return readText('/proc/stat') ?? '';
}

function timeBetween(before: string, after: string, cores: string): CoreTime {
  const then = coreTime(before, cores);
  const now = coreTime(after, cores);
  return {
    busyNs: now.busyNs - then.busyNs,
    stealNs: now.stealNs - then.stealNs,
  };
}

/**
 * Returns the time of the cores in the list so far: user, nice, system, irq and softirq time, and
 * steal (proc_stat(5)). Not a number for unknown cores.
 */
export function coreTime(stat: string, cores: string): CoreTime {
  const time = { busyNs: 0, stealNs: 0 };
  for (const core of parseCpuList(cores)) {
    const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(stat)?.[1];
    const fields = line?.split(' ').map(Number) ?? [];
    const [user = Number.NaN, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
    time.busyNs += (user + nice + system + irq + softirq) * NS_PER_TICK;
    time.stealNs += steal * NS_PER_TICK;
  }
  return time;
}
