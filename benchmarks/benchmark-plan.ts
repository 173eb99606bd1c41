import { keepCoresAwake } from '../harness/machine/keep-awake.ts';
import { pinSelf } from '../harness/machine/pinning.ts';
import type { RunOptions } from '../harness/options.ts';
import { emptyResult, type Plan, plan } from '../harness/plan.ts';
import type { Result } from '../harness/result/schema.ts';
import type { LoadedTask } from '../harness/suite/load.ts';

/** The plan of a run, its first task, and an empty result for its pairs. This process moves off the servers' core. */
export interface BenchmarkPlan {
  planned: Plan;
  task: LoadedTask;
  result: Result;
}

/** As `scripts/bench.sh` plans it with these options. Cores stay awake until this process ends. */
export async function benchmarkPlan(more: Partial<RunOptions>): Promise<BenchmarkPlan> {
  const planned = await plan({
    ...{ suite: 'levels', tool: 'auto', seed: 1, export: 'discard', format: 'docs' },
    ...{ quick: false, pin: true, keepAwake: true, strict: false, dryRun: false },
    ...more,
  });
  if (planned.pinning) pinSelf(planned.pinning.toolCores);
  const awake = keepCoresAwake(planned.keepAwake);
  const result = emptyResult(planned, new Date(), awake);
  const [task] = planned.suite.tasks as [LoadedTask];
  return { planned, task, result };
}
