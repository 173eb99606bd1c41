import type { Arm } from './arms.ts';
import type { World } from './world.ts';

/**
 * Watches a server while the other one is under load alone: what it does by the clock then is no
 * part of a slice, and a result keeps it.
 * @returns what ends the watch, and returns the CPU time in ns meanwhile; 0 if no clock tells
 */
export function watchIdle(world: World, arm: Arm): () => number {
  const beforeMs = world.nowMs();
  const cpuSince = world.watchCpu(arm.server.child.pid);
  return () => {
    const { ns } = cpuSince();
    if (ns === undefined) return 0;
    arm.whileIdle.push({ watchedMs: world.nowMs() - beforeMs, cpuMs: ns / 1e6 });
    return ns;
  };
}
