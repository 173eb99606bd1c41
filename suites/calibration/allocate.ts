import type { KnownCost } from './burn.ts';

/** Objects of one call, and how many of the latest ones stay alive. */
const OBJECTS = 100;
const ALIVE = 4_096;

const WARMUP_CALLS = 100_000;
const CALLS = 200_000;

const alive: unknown[] = new Array(ALIVE).fill(null);
let position = 0;

/**
 * An extra cost that is no computing: objects for the garbage collector. What a call costs is the mean of a long run, alone
 * on the core, before the server listens: CPU time of all threads, the collector's among them.
 */
export function createAllocator(): KnownCost {
  for (let call = 0; call < WARMUP_CALLS; call++) allocate();
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call++) allocate();
  const { user, system } = process.cpuUsage(before);
  const costUs = (user + system) / CALLS;
  return { spend: allocate, meanUs: () => costUs, reset() {} };
}

function allocate(): void {
  for (let count = 0; count < OBJECTS; count++) {
    position = (position + 1) % ALIVE;
    alive[position] = { position, text: `${position}`, list: [position, count] };
  }
}
