import type { World } from '../pair/world.ts';
import { throwIfEnding } from '../processes/child.ts';
import type { Progress } from '../words/progress.ts';

/**
 * Closed connections keep their ports for a minute (TIME_WAIT). Where they keep more than this share
 * of those for clients, a load tool may find none.
 */
const MAX_KEPT_SHARE = 0.5;
/** Ports that are kept for longer are used up by other programs. */
const MAX_WAIT_MS = 70_000;

/**
 * Waits until the load of earlier pairs has left enough ports for the next one. Returns whether
 * there are enough: if not, further waiting is of no use, and a pair that fails says why.
 * @param endMs when the time of the run is over, by the world's clock
 * @throws Error if the run is to end meanwhile, as by Ctrl-C
 */
export async function waitForPorts(
  world: World,
  progress: Progress,
  endMs: number,
): Promise<boolean> {
  const lastMs = Math.min(world.nowMs() + MAX_WAIT_MS, endMs);
  const lacksPorts = () => world.keptPortShare() > MAX_KEPT_SHARE;
  if (!lacksPorts()) return true;
  progress.step('waiting until closed connections give back their ports');
  while (lacksPorts() && world.nowMs() < lastMs) {
    await world.sleep(1_000);
    throwIfEnding();
  }
  return !lacksPorts();
}
