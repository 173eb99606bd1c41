import type { IdleCpu, Result, Side, Task } from '../result/schema.ts';
import { estimateTasks } from './estimate.ts';
import type { Estimate } from './mean-estimate.ts';
import { finiteOrNull, meanOf } from './missing-values.ts';
import type { Sample } from './sample.ts';

/** What a server takes beside its work; a field is null if it was not measured. */
export interface Footprint {
  /** From the start of the process to its first answer. */
  startUpMs: number | null;
  /** Scenario minus baseline; null for the baseline itself. */
  startUpChangeMs: Estimate | null;
  /** CPU time in a second without requests, under the name that it has in `--format json`. */
  standingMsPerSecond: number | null;
}

/**
 * The footprints of a task's servers; null, or not there, for those of which the suite does not
 * ask.
 */
export interface TaskFootprints {
  /** By all starts of the task. */
  baseline: Footprint | null;
  /** By each scenario's own starts. */
  byScenario: Map<string, Footprint>;
}

type StartUp = Result['startUps'][number];

/** Returns what the servers of a task take beside their work. */
export function footprintsOf(result: Result, task: Task): TaskFootprints {
  const startUps = result.startUps.filter((each) => each.task === task.name);
  const idles = result.idles.filter((each) => each.task === task.name);
  const changes = startUpChanges(startUps, task.scenarios);
  const byScenario = new Map<string, Footprint>();
  task.scenarios.forEach((scenario, at) => {
    const ownStarts = startUps.filter((each) => each.scenario === scenario);
    const ownIdles = idles.filter((each) => each.scenario === scenario);
    if (startUps.length + ownIdles.length === 0) return;
    byScenario.set(scenario, footprint(ownStarts, ownIdles, 'scenario', changes[at] ?? null));
  });
  const isMeasured = startUps.length + idles.length > 0;
  return {
    baseline: isMeasured ? footprint(startUps, idles, 'baseline', null) : null,
    byScenario,
  };
}

function footprint(
  startUps: StartUp[],
  idles: IdleCpu[],
  side: Side,
  startUpChangeMs: Estimate | null,
): Footprint {
  return {
    startUpMs: finiteOrNull(meanOf(startUps.flatMap(({ ms }) => ms[side]))),
    startUpChangeMs,
    standingMsPerSecond: finiteOrNull(
      meanOf(idles.map(({ cpuMsPerSecond }) => cpuMsPerSecond[side])),
    ),
  };
}

/** One for each scenario; null for one that was not started. */
function startUpChanges(startUps: StartUp[], scenarios: string[]): (Estimate | null)[] {
  const rows = scenarios.map((scenario) => {
    const starts = startUps.filter((each) => each.scenario === scenario);
    const samples = starts.flatMap(({ ms }) => startSamples(ms));
    return samples.length > 0 ? samples : null;
  });
  return estimateTasks([rows], 'mean')[0] ?? [];
}

/** Returns the times to the first answer of a scenario and its baseline, start by start, in ms. */
export function startSamples({ baseline, scenario }: StartUp['ms']): Sample[] {
  return scenario.map((ms, at) => ({ baseline: baseline[at] ?? Number.NaN, scenario: ms }));
}
