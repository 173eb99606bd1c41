import type { PlannedPair, PlannedRow } from '../plan/plan.ts';
import { checkOpen } from '../processes/child.ts';
import { MIN_COST_FOR_TURNS } from '../result/pair-schema.ts';
import type { Pair } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkAnswers } from './answers.ts';
import { startBoth } from './arms.ts';
import { connectionsOfBoth } from './closed-connections.ts';
import { exportFaults, exportsOfBoth } from './exported.ts';
import { lookAfterLoad, lookBeforeLoad, type RestingShares } from './rest.ts';
import { forBoth, SIDES } from './sides.ts';
import { type CpuSlices, measureSlices, type SliceSettings, withoutSlices } from './slices.ts';
import { type WarmUpSettings, warmUp } from './warm-up.ts';
import type { World } from './world.ts';

/*
 * This room measures one pair: a fresh baseline server and a fresh scenario server on the same
 * core. A planned pair and a world go in; slices, usage and faults come out, as the result file
 * keeps them. Which pair comes next belongs to `run/`, and what the figures mean to `analysis/`.
 */

const NOTHING_EXPORTED: Pair['exported'] = { baseline: null, scenario: null };

/** How a pair is measured. */
export type PairSettings = WarmUpSettings & SliceSettings;

/** What the row's earlier pairs tell; nothing of the first. */
export interface KnownOfRow {
  /** A row has one kind for the whole run. */
  cpuSlices?: CpuSlices | undefined;
  /** What its servers do by themselves is looked at once. */
  idleShares?: RestingShares | undefined;
}

/**
 * Measures one pair: start both servers, check their answers, warm up, alternating slices, duet
 * slices, check again, stop. It ends as soon as something is wrong with it.
 * @returns what was measured; what goes wrong under load is among its faults
 * @throws Problem if a server, or the load tool, does not start
 */
export async function measurePair(
  world: World,
  pair: PlannedPair,
  settings: PairSettings,
  known: KnownOfRow = {},
): Promise<Pair> {
  const { task, scenario } = pair.row;
  const lapSeconds = stopwatch(world);
  await using arms = await startBoth(world, pair);
  const startSeconds = lapSeconds();
  const idleShares = known.idleShares ?? (await lookBeforeLoad(world, arms));
  for (const side of SIDES) arms[side].idleShare = idleShares[side] ?? 0;
  const warm = await warmUp(world, task, arms, settings);
  const { isSteady, sliceSeconds } = warm;
  const warmUpSeconds = lapSeconds();
  const cpuSlices = known.cpuSlices ?? cpuSlicesFor(pair.row, warm.cpuRatio);
  const sliceSettings = { ...settings, sliceSeconds };
  const slices =
    warm.faults.length > 0
      ? withoutSlices(warm.faults)
      : await measureSlices(world, pair, arms, sliceSettings, cpuSlices);
  const faults = [...slices.faults];
  let afterShares: RestingShares | null = null;
  let connections: Pair['connections'] = null;
  if (faults.length === 0) {
    afterShares = await lookAfterLoad(world, arms);
    for (const side of SIDES)
      faults.push(...(await checkAnswers(world, arms[side], sentIn(task), 'afterwards')));
  }
  // Where a tool tells of closed connections, it has sent many more requests again in silence.
  if (faults.every(({ kind }) => kind === 'connections-closed')) {
    const { alternating, closed } = slices;
    connections = await connectionsOfBoth(world, arms, task, alternating, closed);
  }
  // Nobody waits for spans of requests that failed.
  const exported = faults.length > 0 ? NOTHING_EXPORTED : await exportsOfBoth(world, arms, task);
  const slicesSeconds = lapSeconds();
  await arms[Symbol.asyncDispose]();
  checkOpen();
  for (const side of SIDES) faults.push(...exportFaults(arms[side].planned, exported[side]));
  return {
    task: task.name,
    scenario: scenario.name,
    isSteady,
    sliceSeconds,
    seconds: {
      start: startSeconds,
      warmUp: warmUpSeconds,
      slices: slicesSeconds,
      stop: lapSeconds(),
    },
    alternating: slices.alternating,
    duets: slices.duets,
    turns: slices.turns,
    warmUp: warm.kept,
    whileIdle: forBoth((side) => arms[side].whileIdle),
    usage: slices.usage,
    ...(slices.container && { container: slices.container }),
    connections,
    restingShares: afterShares && { beforeLoad: idleShares, afterLoad: afterShares },
    exported,
    faults,
  };
}

/**
 * Returns the slices in which a row's CPU per request is measured. In duets two servers share the
 * core's caches, and unlike ones read up to twice too high; servers that are nearly alike disturb
 * each other alike, and duets are five times as precise for them.
 */
function cpuSlicesFor({ mayTakeTurns }: PlannedRow, cpuRatio: number | null): CpuSlices {
  const costsMuch = cpuRatio !== null && Math.abs(cpuRatio - 1) > MIN_COST_FOR_TURNS;
  return mayTakeTurns && costsMuch ? 'turns' : 'duets';
}

/** Returns what tells the seconds since it was called before. */
function stopwatch(world: World): () => number {
  let beforeMs = world.nowMs();
  return () => {
    const nowMs = world.nowMs();
    const seconds = (nowMs - beforeMs) / 1e3;
    beforeMs = nowMs;
    return seconds;
  };
}
