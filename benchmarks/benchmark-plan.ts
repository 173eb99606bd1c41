import { keepCoresAwake } from '../harness/machine/keep-awake.ts';
import { pinSelf } from '../harness/machine/pinning.ts';
import type { RunOptions } from '../harness/options.ts';
import { emptyResult, plan } from '../harness/plan.ts';

/**
 * The plan of a run as `scripts/bench.sh` makes it with these options, and an empty result for its pairs. This process moves
 * off the servers' core, and cores stay awake until it ends.
 */
export async function benchmarkPlan(more: Partial<RunOptions>) {
  const planned = await plan({
    ...{ suite: 'levels', tool: 'auto', seed: 1, export: 'none', format: 'docs' },
    ...{ quick: false, pin: true, keepAwake: true, strict: false, dryRun: false },
    ...more,
  });
  if (planned.pinning) pinSelf(planned.pinning.toolCores);
  const awake = keepCoresAwake(planned.keepAwake);
  return { planned, result: emptyResult(planned, awake) };
}
