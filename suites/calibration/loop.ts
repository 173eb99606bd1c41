import type { KnownCost } from './burn.ts';

const WARMUP_CALLS = 20_000;
const CALLS = 60_000;

/**
 * An extra cost that can't be timed in place. What a call costs is the mean of a long run, alone on
 * the core, before the server listens: CPU time of all threads, the garbage collector's among them.
 * Beside requests the same call finds colder caches and a fuller heap, so this truth is a little
 * too low.
 */
export function createLoop(call: () => void): KnownCost {
  for (let count = 0; count < WARMUP_CALLS; count++) call();
  const before = process.cpuUsage();
  for (let count = 0; count < CALLS; count++) call();
  const { user, system } = process.cpuUsage(before);
  const costUs = (user + system) / CALLS;
  return { spend: call, meanUs: () => costUs, reset() {} };
}
