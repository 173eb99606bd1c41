import { sum } from 'simple-statistics';
import type { AskingLimits } from '../exchange/kept-connections.ts';
import type { PlannedTask } from '../plan/plan.ts';
import type { AlternatingSlice, Connections, Side } from '../result/schema.ts';
import type { Arm, RunningPair } from './arms.ts';
import { type Both, forBoth, SIDES } from './sides.ts';
import type { World } from './world.ts';

/*
 * Connections that a server closes under load. A load tool sends a request again if its connection
 * was closed, most of them without a word. So a server's connections are counted by the kernel, and
 * if they are more than the load's, the server is asked on connections that are kept: that tells
 * whether it closes them, and whether it announces it.
 */

/** Fewer closed connections than one for so many requests change no figure. */
export const REQUESTS_PER_CLOSE = 1_000;
/** A server was asked enough once it has closed so many connections. */
const ENOUGH_CLOSES = 4;
/** How long a server is asked that closed connections under load. */
const ASK_FOR_MS = 3_000;
/** How long one is asked if others may have opened the connections that are too many. */
const ASK_SHORTLY_MS = 1_000;
/** How long one is asked of which the load's connections tell nothing. */
const ASK_BRIEFLY_MS = 400;

/** Requests under load, and connections beyond those that the load opens by itself. */
export interface Reopened {
  requests: number;
  /** Null if nothing tells. */
  connections: number | null;
}

/** Returns how many connections beyond the load's own were opened in alternating slices. */
export function reopenedIn(
  slices: readonly Pick<AlternatingSlice, Side | 'opened'>[],
  side: Side,
  loadConnections: number,
): Reopened {
  const opened = slices.map((slice) => slice.opened?.[side] ?? null);
  const isKnown = opened.length > 0 && opened.every((each) => each !== null);
  return {
    requests: sum(slices.map((slice) => slice[side].requests)),
    connections: isKnown
      ? sum(opened.map((each) => Math.max(0, Number(each) - loadConnections)))
      : null,
  };
}

/** Returns what reads how many connections each server closed first since this call. */
export function watchClosed({ world, arms }: RunningPair): () => Both<number | null> {
  const ports = SIDES.map((side) => Number(new URL(arms[side].server.origin).port));
  const before = world.closedByServers(ports);
  return () => {
    const after = world.closedByServers(ports);
    return forBoth((side) => {
      const index = SIDES.indexOf(side);
      const known = before?.[index];
      const all = after?.[index];
      return known && all ? [...all].filter((end) => !known.has(end)).length : null;
    });
  };
}

/**
 * Returns what tells of the connections that servers closed. A server is asked on connections that
 * are kept if it closed some under load, or if nothing tells that it did not.
 */
export async function connectionsOfBoth(
  { world, pair, arms }: RunningPair,
  slices: readonly AlternatingSlice[],
  closed: Both<number | null>,
): Promise<Both<Connections>> {
  const { task } = pair.row;
  const connections = {} as Both<Connections>;
  for (const side of SIDES) {
    const reopened = reopenedIn(slices, side, task.connections);
    const limits = askingLimits(reopened, closed[side], task.rate !== undefined);
    const kept = limits === null ? null : await askOnKept(world, arms[side], task, limits);
    connections[side] = { closed: closed[side], kept };
  }
  return connections;
}

/** Returns when a server was asked enough; null if nothing is to be found out. */
function askingLimits(
  { requests, connections }: Reopened,
  closed: number | null,
  isPaced: boolean,
): AskingLimits | null {
  const isMuch = (count: number | null) => (count ?? 0) * REQUESTS_PER_CLOSE > requests;
  const enough = { requests: ENOUGH_CLOSES * REQUESTS_PER_CLOSE, closes: ENOUGH_CLOSES };
  if (isMuch(closed)) return { ...enough, ms: ASK_FOR_MS };
  if (isMuch(connections)) return { ...enough, ms: ASK_SHORTLY_MS };
  // At a steady rate a tool may open fewer connections than it was given, and so hide some.
  const isUnseen = connections === null || isPaced;
  return isUnseen ? { ...enough, ms: ASK_BRIEFLY_MS } : null;
}

async function askOnKept(
  world: World,
  arm: Arm,
  { exchanges }: PlannedTask,
  limits: AskingLimits,
): Promise<Connections['kept']> {
  const requests = exchanges.map(({ request }) => request);
  const { answered, ...kept } = await world.askOnKeptConnections(
    arm.server.origin,
    requests,
    limits,
  );
  arm.answered += answered;
  return kept;
}
