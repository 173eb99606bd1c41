import { readFileSync } from 'node:fs';
import type { CoreUse } from '../result/schema.ts';
import { type Pinning, parseCpuList } from './pinning.ts';

type CoreTime = CoreUse['server'];

/** USER_HZ: the unit of /proc/stat, 100 a second on every platform that Bun runs on. */
const NS_PER_TICK = 1e7;

/**
 * Starts to watch the cores; the function it returns tells what was used since. Null if nothing is pinned, or the system
 * has no /proc/stat.
 */
export function watchCores(pinning: Pinning | undefined): () => CoreUse | null {
  const read = () => (pinning ? readCores(pinning) : null);
  const startedAt = performance.now();
  const before = read();
  return () => {
    const after = read();
    if (!before || !after) return null;
    return {
      wallNs: (performance.now() - startedAt) * 1e6,
      server: difference(after.server, before.server),
      tool: difference(after.tool, before.tool),
    };
  };
}

function readCores({ serverCore, toolCores }: Pinning): { server: CoreTime; tool: CoreTime } | null {
  try {
    const stat = readFileSync('/proc/stat', 'utf8');
    return { server: timeOf(stat, serverCore), tool: timeOf(stat, toolCores) };
  } catch {
    return null;
  }
}

/** Of the cores in the list: user, nice, system, irq and softirq time, and steal (proc_stat(5)). */
export function timeOf(stat: string, cores: string): CoreTime {
  const time = { busyNs: 0, stealNs: 0 };
  for (const core of parseCpuList(cores)) {
    const fields = new RegExp(`^cpu${core} (.*)$`, 'm').exec(stat)?.[1]?.split(' ').map(Number) ?? [];
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
    time.busyNs += (user + nice + system + irq + softirq) * NS_PER_TICK;
    time.stealNs += steal * NS_PER_TICK;
  }
  return time;
}

function difference(after: CoreTime, before: CoreTime): CoreTime {
  return { busyNs: after.busyNs - before.busyNs, stealNs: after.stealNs - before.stealNs };
}
