import type { ContainerUse } from '../result/schema.ts';
import { watchThrottling } from './cpu-quota.ts';
import { limitedMemory } from './memory-limit.ts';

/**
 * Returns what reads how far this process, and these others, came to the limits of their container
 * since this call; undefined if nothing is limited.
 * @param root the folder in which /proc and /sys are looked for
 */
export function watchContainer(
  pids: readonly number[],
  root = '/',
): () => ContainerUse | undefined {
  const watched = ['self' as const, ...pids];
  const throttlingSince = watchThrottling(watched, root);
  return () => {
    const cpu = throttlingSince();
    const memory = limitedMemory(watched, root);
    return cpu || memory ? { cpu, memory } : undefined;
  };
}
