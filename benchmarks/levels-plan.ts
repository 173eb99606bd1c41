import { type Plan, plan } from '../harness/plan.ts';
import { type CpuClock, openCpuClock } from '../harness/process/cpu-clock.ts';
import { pinSelf } from '../harness/process/pinning.ts';
import type { LoadedTask } from '../harness/suite/load.ts';

export type LevelsPlan = Plan & { clock: CpuClock; task: LoadedTask };

/** The plan of a full run of these levels, with this process moved off the servers' core. */
export async function levelsPlan(scenarios: string[]): Promise<LevelsPlan> {
  process.env.TRACETAX_LOAD ??= 'bombardier --fasthttp -c 100 -d 30s';
  const planned = await plan({
    ...{ suite: 'levels', scenarios, tool: 'auto', format: 'docs', seed: 1, maxTime: 1 },
    ...{
      duet: true,
      duetOnly: true,
      quick: false,
      pin: true,
      dryRun: false,
      strict: false,
      compressible: false,
    },
  });
  if (planned.pinning) pinSelf(planned.pinning.toolCores);
  const [task] = planned.suite.tasks as [LoadedTask];
  return { ...planned, task, clock: openCpuClock() };
}
