import type { ExportMode, Pair, Result, Side, Task } from '../result/schema.ts';
import { multipleOf } from './compare-estimates.ts';
import { figuresOf } from './figures.ts';
import { footprintsOf, type TaskFootprints } from './footprint.ts';
import type { RowPairs } from './row-pairs.ts';
import { type Baseline, isValid, type Row, type TaskAnalysis } from './rows.ts';
import { slicesOf } from './slices.ts';
import { costsOfRow, type RowCosts, type TaskCosts } from './task-costs.ts';

/** What a server of a task is called, and how its spans are exported. */
interface Description {
  title: string;
  label: string;
  export: ExportMode;
}

/** A task of a result, and what its servers take beside their work. */
interface MeasuredTask {
  result: Result;
  task: Task;
  footprints: TaskFootprints;
}

/** Returns a task of a result, with its rows. */
export function analyseTask(
  result: Result,
  task: Task,
  all: readonly RowPairs[],
  costs: TaskCosts,
): TaskAnalysis {
  const { name, title, baseline, scenarios: _, ...sent } = task;
  const measuredTask = { result, task, footprints: footprintsOf(result, task) };
  const rows = all.map((pairs, at) => rowOf(measuredTask, pairs, costsOfRow(costs, at)));
  const noiseFloor = rows.find(({ scenario }) => scenario === baseline);
  return {
    name,
    title,
    prefix: prefixOf(result, task),
    ...sent,
    baseline: baselineOf(measuredTask, all),
    rows: rows.filter((row) => row !== noiseFloor),
    noiseFloor: noiseFloor && noiseFloor.pairs.length > 0 ? noiseFloor : null,
  };
}

function rowOf(
  { result, task, footprints }: MeasuredTask,
  { scenario, measured, cleaned, usable, trueCostsUs, growth }: RowPairs,
  { change, costError }: RowCosts,
): Row {
  const { title, label, export: exportMode } = describe(result, task, scenario, 'scenario');
  return {
    task: task.name,
    scenario,
    title,
    label,
    figures: figuresOf(usable, 'scenario'),
    footprint: footprints.byScenario.get(scenario) ?? null,
    proof: proofOf(result, scenario),
    export: exportMode,
    pairs: cleaned,
    growth,
    faults: cleaned.flatMap((pair) => pair.faults),
    leftOut: leftOutOf(measured),
    change,
    trueCostsUs,
    costError,
    receiver: result.suite.scenarios.find(({ name }) => name === scenario)?.receiver,
    cpuMultiple: change.cpuUs && multipleOf(change.cpuUs),
  };
}

/** By the valid pairs of all rows, also of those that have an invalid one. */
function baselineOf(
  { result, task, footprints }: MeasuredTask,
  rows: readonly RowPairs[],
): Baseline {
  const { title, label, export: exportMode } = describe(result, task, task.baseline, 'baseline');
  const valid = rows.flatMap(({ cleaned }) => cleaned.filter(isValid));
  return {
    scenario: task.baseline,
    title,
    label,
    figures: figuresOf(valid, 'baseline'),
    footprint: footprints.baseline,
    proof: proofOf(result, task.baseline),
    export: exportMode,
  };
}

function describe(result: Result, task: Task, name: string, side: Side): Description {
  const { suite, configuration } = result;
  // One that the suite does not have is known by its name alone.
  const scenario = suite.scenarios.find((each) => each.name === name);
  const isNoiseFloor = side === 'scenario' && name === task.baseline;
  const title = isNoiseFloor ? 'Baseline against itself' : (scenario?.title ?? name);
  return {
    title,
    label: prefixOf(result, task) + title,
    export: scenario?.export ?? configuration.export,
  };
}

function prefixOf({ suite }: Result, { title }: Task): string {
  return suite.tasks.length > 1 ? `${title}: ` : '';
}

function proofOf({ proofs }: Result, scenario: string): Row['proof'] {
  return proofs.find((proof) => proof.scenario === scenario) ?? null;
}

function leftOutOf(measured: Pair[]): Row['leftOut'] {
  const slices = measured.flatMap(slicesOf);
  const reasons = slices.flatMap(({ rateShortfall }) => rateShortfall ?? []);
  return { count: reasons.length, of: slices.length, why: reasons[0] };
}
