import type { PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Arms } from './arms.ts';
import { allEnded, SIDES } from './sides.ts';
import { loadUntilResting } from './under-load.ts';
import type { World } from './world.ts';

/** Longer would be better still: a request takes some 9 % less 20 s later. */
const SETTLING_SECONDS = 5;

/**
 * Loads both servers at the steady rate of a task. After the full load of their warm-up, they
 * collect what it left, and their first requests would pay for that. What goes wrong is not told
 * here: the slices that follow show it.
 */
export async function settleAtRate(world: World, task: PlannedTask, arms: Arms): Promise<void> {
  const load = loadOf(task, SETTLING_SECONDS, 2);
  await allEnded(SIDES.map((side) => loadUntilResting(world, arms[side], load)));
}
