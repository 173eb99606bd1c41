import type { PlannedPair } from '../plan/plan.ts';
import { checkOpen } from '../processes/child.ts';
import type { Pair } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkAnswers } from './answers.ts';
import { exportFaults, exportsOfBoth } from './exported.ts';
import { SIDES } from './sides.ts';
import { measureSlices, type SliceSettings } from './slices.ts';
import { startBoth } from './start.ts';
import { hasNoAnswer } from './under-load.ts';
import { type WarmUpSettings, warmUp } from './warm-up.ts';
import type { World } from './world.ts';

/*
 * This room measures one pair: a fresh baseline server and a fresh scenario server on the same core. A planned pair and a
 * world go in; slices, usage and faults come out, as the result file keeps them. Which pair comes next belongs to `run/`,
 * and what the figures mean to `analysis/`.
 */

/** How a pair is measured. */
export type PairSettings = WarmUpSettings & SliceSettings;

/**
 * Measures one pair: start both servers, check their answers, warm up, alternating slices, duet slices, check again, stop.
 * @returns what was measured; what goes wrong under load is among its faults
 * @throws Problem if a server, or the load tool, does not start
 */
export async function measurePair(
  world: World,
  pair: PlannedPair,
  settings: PairSettings,
): Promise<Pair> {
  const { task, scenario } = pair.row;
  const lapSeconds = stopwatch(world);
  await using arms = await startBoth(world, pair);
  const startSeconds = lapSeconds();
  const { isSteady, sliceSeconds } = await warmUp(world, task, arms, settings);
  const warmUpSeconds = lapSeconds();
  const slices = await measureSlices(world, pair, arms, { ...settings, sliceSeconds });
  const faults = [...slices.faults];
  if (!hasNoAnswer(faults)) {
    for (const side of SIDES)
      faults.push(...(await checkAnswers(world, arms[side], sentIn(task), 'afterwards')));
  }
  const exported = await exportsOfBoth(world, arms, task);
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
    usage: slices.usage,
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
