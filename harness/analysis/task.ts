import type { AlternatingSlice, ExportMode, Pair, Result, Side, Task } from '../result/schema.ts';
import type { Slope } from './ancova.ts';
import { type PairWithBursts, withBursts } from './bursts.ts';
import { type Estimate, multipleOf } from './compare-estimates.ts';
import { estimateTasks, METHODS, slopeOfRun } from './estimate.ts';
import { figuresOf, QUANTITIES, type Quantity, samplesOf } from './figures.ts';
import { footprintsOf, type TaskFootprints } from './footprint.ts';
import { type Growth, growthOf } from './growth.ts';
import { type Baseline, isValid, type Row, type TaskAnalysis } from './rows.ts';
import type { Sample } from './sample.ts';
import { slicesOf } from './slices.ts';

/** The pairs of one row, in the order in which they were measured. */
export interface RowPairs {
  scenario: string;
  measured: Pair[];
  /** Without the slices in which a steady rate was not held, and with the bursts in the others. */
  cleaned: PairWithBursts[];
  /** Those of which figures are made: all that were cleaned, or none if one of them has a fault. */
  usable: PairWithBursts[];
  /**
   * What it costs more than the baseline in each of the cleaned pairs, in µs; null if nobody knows.
   */
  trueCostsUs: number[] | null;
  /** How its cost moves with the requests served; null if it does not. */
  growth: Growth | null;
}

/** What a server of a task is called, and how its spans are exported. */
interface Description {
  title: string;
  label: string;
  export: ExportMode;
}

/** What the rows of one task cost, in their order. */
export interface TaskCosts {
  /** For each quantity; null for a row in which it was not measured. */
  changes: Record<Quantity, (Estimate | null)[]>;
  /**
   * Measured minus true CPU per request of the rows whose true cost is known; null for the others.
   */
  errors: (Estimate | null)[];
}

/** What one row costs, as `TaskCosts` has it for all. */
interface RowCosts {
  change: Row['change'];
  costError: Estimate | null;
}

/** A task of a result, and what its servers take beside their work. */
interface MeasuredTask {
  result: Result;
  task: Task;
  footprints: TaskFootprints;
}

/** Returns the pairs of each row of a task. Only here are pairs grouped, and cleaned. */
export function rowPairsOf(result: Result, task: Task): RowPairs[] {
  return task.scenarios.map((scenario) => pairsOf(result, task, scenario));
}

/** The part of tables whose intervals are all to hold, where it is not the usual one. */
export type TableLevels = Partial<Record<Quantity, number>>;

/** Returns what the rows of all tasks of a run cost: the costs of a run are estimated together. */
export function costsOfTasks(tasks: readonly RowPairs[][], levels: TableLevels): TaskCosts[] {
  const changes = ofQuantities((quantity) =>
    estimateTasks(
      tasks.map((rows) => rows.map(({ usable }) => samplesOf(usable, quantity))),
      METHODS[quantity],
      levels[quantity],
    ),
  );
  const errors = estimateTasks(
    tasks.map((rows) => rows.map(errorSamplesOf)),
    METHODS.cpuUs,
    levels.cpuUs,
  );
  return tasks.map((rows, at) => ({
    changes: ofQuantities((quantity) => changes[quantity][at] ?? []),
    errors: rows.map(({ trueCostsUs }, row) => (trueCostsUs ? (errors[at]?.[row] ?? null) : null)),
  }));
}

/** Returns the slope by which CPU per request follows the baseline in a run; null without pairs. */
export function slopeOfTasks(tasks: readonly RowPairs[][]): Slope | null {
  return slopeOfRun(tasks.map((rows) => rows.map(({ usable }) => samplesOf(usable, 'cpuUs'))));
}

/**
 * The samples of a row less its true cost, if that is known. Rows without one stay as they are, so
 * that intervals are as wide as those of the costs.
 */
function errorSamplesOf({ usable, trueCostsUs }: RowPairs): Sample[] | null {
  const samples = samplesOf(usable, 'cpuUs');
  return samples && trueCostsUs ? withoutTrueCosts(samples, trueCostsUs) : samples;
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

function costsOfRow({ changes, errors }: TaskCosts, at: number): RowCosts {
  return {
    change: ofQuantities((quantity) => changes[quantity][at] ?? null),
    costError: errors[at] ?? null,
  };
}

function pairsOf(result: Result, task: Task, scenario: string): RowPairs {
  const measured = result.pairs.filter(
    (pair) => pair.task === task.name && pair.scenario === scenario,
  );
  const held = measured.map(withoutSlicesBelowRate);
  const isPaced = task.rate !== null;
  const growth = growthOf(held, isPaced);
  const cleaned = withBursts(held, { isPaced, isMoving: growth !== null });
  return {
    scenario,
    measured,
    cleaned,
    usable: cleaned.every(isValid) ? cleaned : [],
    trueCostsUs: trueCostsOf(result, scenario, cleaned),
    growth,
  };
}

/** What slices show in which a steady rate was not held is another load. */
function withoutSlicesBelowRate(pair: Pair): Pair {
  if (slicesOf(pair).every(isHeld)) return pair;
  const { baseline, scenario } = pair.usage;
  return {
    ...pair,
    alternating: pair.alternating.filter(isHeld),
    duets: pair.duets.filter(isHeld),
    turns: pair.turns.filter(isHeld),
    // CPU times of user and system are those of all slices.
    usage: { baseline: { ...baseline, cpuUs: null }, scenario: { ...scenario, cpuUs: null } },
  };
}

function isHeld({ rateShortfall }: Pick<AlternatingSlice, 'rateShortfall'>): boolean {
  return rateShortfall === null;
}

function withoutTrueCosts(samples: Sample[], trueCostsUs: number[]): Sample[] {
  return samples.map(({ baseline, scenario }, pair) => {
    return { baseline, scenario: scenario - (trueCostsUs[pair] ?? Number.NaN) };
  });
}

/** Null if the suite does not say that the cost is known. */
function trueCostsOf({ suite }: Result, name: string, pairs: Pair[]): number[] | null {
  const declaredUs = suite.scenarios.find((scenario) => scenario.name === name)?.trueCostUs;
  if (typeof declaredUs !== 'number') return null;
  return pairs.map((pair) => trueCostOf(pair, declaredUs));
}

/**
 * What the servers of a pair measured of their known cost under load; if they did not, what the
 * suite declares.
 */
function trueCostOf({ usage }: Pair, declaredUs: number): number {
  const costUs = (side: Side) => usage[side].probe?.trueCostUs ?? Number.NaN;
  const measuredUs = costUs('scenario') - costUs('baseline');
  return Number.isFinite(measuredUs) ? measuredUs : declaredUs;
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

function ofQuantities<Value>(read: (quantity: Quantity) => Value): Record<Quantity, Value> {
  const values = QUANTITIES.map((quantity) => [quantity, read(quantity)]);
  return Object.fromEntries(values);
}
