import type { CoreUse } from '../result/schema.ts';
import { type Pinning, parseCpuList } from './pinning.ts';
import { NS_PER_TICK } from './processes.ts';
import { readText } from './read.ts';

type CoreTime = CoreUse['server'];

/** Returns what tells how much of the cores was used since; null if nothing is pinned, or without /proc/stat. */
export function watchCores(pinning: Pinning | undefined): () => CoreUse | null {
  const startedAt = performance.now();
  const before = readText('/proc/stat');
  return () => {
    const after = readText('/proc/stat');
    if (!pinning || !before || !after) return null;
    const used = (cores: string): CoreTime => {
      const [then, now] = [timeOf(before, cores), timeOf(after, cores)];
      return { busyNs: now.busyNs - then.busyNs, stealNs: now.stealNs - then.stealNs };
    };
    const wallNs = (performance.now() - startedAt) * 1e6;
    return { wallNs, server: used(pinning.serverCore), tool: used(pinning.toolCores) };
  };
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
