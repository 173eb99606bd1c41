import type { PlannedPair } from '../plan/plan.ts';
import { checkOpen } from '../processes/child.ts';
import type { Pair } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkAnswers } from './answers.ts';
import { startBoth } from './arms.ts';
import { connectionsOfBoth } from './closed-connections.ts';
import { type CpuSliceKind, cpuSliceKindFor } from './duets-or-turns.ts';
import { exportFaults, stopBothAndCountExports } from './exported.ts';
import { lookAfterLoad, lookBeforeLoad, type RestingShares } from './rest.ts';
import { forBoth, SIDES } from './sides.ts';
import { measureSlices, type SliceSettings, withoutSlices } from './slices.ts';
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
  cpuSliceKind?: CpuSliceKind | undefined;
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
  const cpuSliceKind = known.cpuSliceKind ?? cpuSliceKindFor(pair.row, warm.cpuRatio);
  const sliceSettings = { ...settings, sliceSeconds };
  const slices =
    warm.faults.length > 0
      ? withoutSlices(warm.faults)
      : await measureSlices(world, pair, arms, sliceSettings, cpuSliceKind);
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
  const exported =
    faults.length > 0 ? NOTHING_EXPORTED : await stopBothAndCountExports(world, arms, task);
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
