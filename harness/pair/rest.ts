import type { CpuUse } from '../machine/process-clock.ts';
import type { Pair, Side } from '../result/schema.ts';
import type { RunningPair } from './arms.ts';
import { type Both, forBoth, SIDES } from './sides.ts';
import type { World } from './world.ts';

/*
 * What servers do without requests. What a server did before it had any, it does by itself. What it
 * does after a load beyond that belongs to its requests.
 */

/**
 * A server that takes less than this share of a core beyond its own work has done all that its load
 * left behind, such as spans to be sent.
 */
const RESTING_SHARE = 0.05;
const POLLING_INTERVAL_MS = 20;
const REST_WITHIN_MS = 3_000;

/** What a server does in its first moments, it does once. */
const SETTLING_MS = 500;
/** Timers of servers, by which they work without requests, are mostly shorter than this. */
const LOOK_MS = 500;

/**
 * A server that takes more than this share of a core after its load, beyond what it took before it
 * had requests, is still at work on them. Bun's own threads take up to a hundredth for a moment.
 */
export const DEFERRED_SHARE = 0.02;

/** What a server had used of its CPU at a moment, or from one moment to another. */
interface Look {
  cpuNs: number;
  ms: number;
}

/** Shares of a core that two servers take without requests; null if no clock tells. */
export type RestingShares = Both<number | null>;

/**
 * Waits until a server rests, for 3 s at most. Returns how long that took, and the CPU time that the
 * server took meanwhile.
 * @param shareBeforeLoad the share of a core that it took before it had requests
 */
export async function waitUntilResting(
  world: World,
  cpuSince: () => CpuUse,
  shareBeforeLoad: number,
): Promise<Look> {
  const first = lookAt(world, cpuSince);
  let last = first;
  let isResting = false;
  while (!isResting && last.ms - first.ms < REST_WITHIN_MS) {
    await world.sleep(POLLING_INTERVAL_MS);
    const next = lookAt(world, cpuSince);
    isResting = coreShareBetween(last, next) < shareBeforeLoad + RESTING_SHARE;
    last = next;
  }
  return { cpuNs: last.cpuNs - first.cpuNs, ms: last.ms - first.ms };
}

/**
 * Returns what two servers do by themselves. They have started, and had no load yet. If one of them
 * seems to do much, that may still be its start, so that another look tells; if it still does, one
 * some seconds later, too: a runtime such as Java's takes long to start.
 */
export async function lookBeforeLoad(running: RunningPair): Promise<RestingShares> {
  const { world } = running;
  await world.sleep(SETTLING_MS);
  const first = await coreShares(running);
  if (areQuiet(first)) return first;
  const second = await coreShares(running);
  if (areQuiet(second)) return second;
  await world.sleep(REST_WITHIN_MS - 2 * LOOK_MS);
  const last = await coreShares(running);
  return forBoth((side) => lesserShare(second[side], last[side]));
}

function areQuiet(shares: RestingShares): boolean {
  return SIDES.every((side) => (shares[side] ?? 0) < DEFERRED_SHARE);
}

/** Returns the lesser of two shares of a core; null if one of them is not known. */
function lesserShare(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : Math.min(one, other);
}

/**
 * Returns what two servers do after their last load. If one of them does more than by itself, it has
 * 3 s to come to an end: another look tells what it does in the last half second of them.
 * @param isFirst whether no earlier pair of the row told what its servers do by themselves: before
 * its load, one may still have been starting
 */
export async function lookAfterLoad(
  running: RunningPair,
  isFirst: boolean,
): Promise<RestingShares> {
  const { world, arms } = running;
  const shares = await coreShares(running);
  const ownShare = (side: Side) => (isFirst ? 0 : arms[side].shareBeforeLoad);
  if (SIDES.every((side) => (shares[side] ?? 0) < ownShare(side) + DEFERRED_SHARE)) return shares;
  await world.sleep(REST_WITHIN_MS - 2 * LOOK_MS);
  return coreShares(running);
}

/**
 * Returns what servers do by themselves, as a pair has shown; null for one of which either look told
 * nothing. One that did much before its load may still have been starting, and does by itself no
 * more than after it.
 */
export function ownSharesOf({
  beforeLoad,
  afterLoad,
}: NonNullable<Pair['restingShares']>): RestingShares {
  return forBoth((side) => {
    const [before, after] = [beforeLoad[side], afterLoad[side]];
    const wasQuiet = before !== null && before < DEFERRED_SHARE;
    return wasQuiet && after !== null ? before : lesserShare(before, after);
  });
}

async function coreShares({ world, arms }: RunningPair): Promise<RestingShares> {
  const startMs = world.nowMs();
  const cpuSince = forBoth((side) => world.watchCpu(arms[side].server.child.pid));
  await world.sleep(LOOK_MS);
  const wallNs = (world.nowMs() - startMs) * 1e6;
  return forBoth((side) => {
    const { ns } = cpuSince[side]();
    return ns === undefined ? null : ns / wallNs;
  });
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
