import type { CpuUse } from '../machine/process-clock.ts';
import type { World } from './world.ts';

/**
 * A server that takes less than this share of a core has done all that its load left behind, such
 * as spans to be sent.
 */
const RESTING_SHARE = 0.05;
const POLLING_INTERVAL_MS = 20;
const REST_WITHIN_MS = 3_000;
/** The share of a core over so many of the last looks tells what a server does without requests. */
const LAST_LOOKS = 25;
/** A server that takes more than this share of a core still has work of its requests to do. */
const BACKLOG_SHARE = 0.5;

/** What a server had used of its CPU at a moment. */
interface Look {
  cpuNs: number;
  ms: number;
}

/**
 * Waits until a server rests, for 3 s at most.
 * @returns the CPU time in ns that it used meanwhile for no request: a server that still works a
 * little after 3 s does so without requests, too; one that works much has not come to the end of
 * its requests' work
 */
export async function waitUntilResting(world: World, cpuSince: () => CpuUse): Promise<number> {
  const first = lookAt(world, cpuSince);
  const looks = [first];
  let last = first;
  while (last.ms - first.ms < REST_WITHIN_MS) {
    await world.sleep(POLLING_INTERVAL_MS);
    const next = lookAt(world, cpuSince);
    if (coreShareBetween(last, next) < RESTING_SHARE) return 0;
    looks.push(next);
    last = next;
  }
  const lastShare = coreShareBetween(looks.at(-1 - LAST_LOOKS) ?? first, last);
  return lastShare < BACKLOG_SHARE ? lastShare * (last.ms - first.ms) * 1e6 : 0;
}

function lookAt(world: World, cpuSince: () => CpuUse): Look {
  return { cpuNs: cpuSince().ns ?? 0, ms: world.nowMs() };
}

/**
 * Returns the share of a core between two looks, by the clock: a look takes time, too, where many
 * processes run.
 */
function coreShareBetween(before: Look, after: Look): number {
  return (after.cpuNs - before.cpuNs) / 1e6 / (after.ms - before.ms);
}
