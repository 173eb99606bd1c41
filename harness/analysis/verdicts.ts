import type { Result } from '../result/schema.ts';
import { otherLoad, steal, toolBottleneck, unsaturated } from './core-use.ts';
import type { Find } from './finding.ts';
import { type TaskAnalysis, type Verdict, withTask } from './model.ts';
import { inconsistent, invalid, notSteady, stopped, trend } from './outcome.ts';
import { coresAsleep, developmentMode, frequencyScaling, mixedRuntimes, quick, unpinned } from './setting.ts';
import { droppedSpans, sinkFault, unaccounted, unproven } from './telemetry.ts';

/** Every kind there is, those that matter most first: a verdict is an entry here, and a test that causes it. */
export const VERDICTS: Record<string, Find> = {
  stopped,
  invalid,
  'dropped-spans': droppedSpans,
  'sink-fault': sinkFault,
  inconsistent,
  'tool-bottleneck': toolBottleneck,
  unsaturated,
  'cores-asleep': coresAsleep,
  unpinned,
  'not-steady': notSteady,
  trend,
  quick,
  'development-mode': developmentMode,
  'mixed-runtimes': mixedRuntimes,
  'frequency-scaling': frequencyScaling,
  'other-load': otherLoad,
  steal,
  unproven,
  unaccounted,
};

/** All that speaks against the figures of a result: what changes their reading first, each in the order of the list. */
export function verdictsOf(result: Result, tasks: TaskAnalysis[]): Verdict[] {
  const all = Object.entries(VERDICTS).flatMap(([kind, find]) =>
    find(result, tasks).map((found) => ({ kind, ...found, message: withTask(found.message, found.task, tasks) })),
  );
  return all.sort((a, b) => Number(b.changesReading) - Number(a.changesReading));
}
