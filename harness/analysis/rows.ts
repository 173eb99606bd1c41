import type { Fault } from '../result/faults.ts';
import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import { isOfOldRevision } from '../result/revision-names.ts';
import type { ExportMode, Pair, Proof, Result, Task } from '../result/schema.ts';
import type { Slope } from './ancova.ts';
import type { PairWithBursts } from './bursts.ts';
import type { Figures } from './figures.ts';
import type { Footprint } from './footprint.ts';
import type { Growth } from './growth.ts';
import type { Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import type { Quantity } from './quantities.ts';

/** A run as rows, before anything is concluded from it. */
export interface MeasuredRun {
  header: Omit<Result, 'proofs' | 'pairs' | 'startUps' | 'idles'>;
  /**
   * How many pairs there are, and how many there were to be: null if a precision was asked for,
   * and no number.
   */
  pairs: { measured: number; planned: number | null };
  /** By which the CPU per request of rows follows that of the baseline; null without pairs. */
  slope: Slope | null;
  tasks: TaskAnalysis[];
}

/** One comparison: what is sent, and what the servers took that it was sent to. */
export interface TaskAnalysis extends Omit<Task, 'baseline' | 'scenarios'> {
  /** Stands before the titles of its rows: its own title, or nothing for a run with one task. */
  prefix: string;
  baseline: Baseline;
  /** In the suite's order, without the baseline. */
  rows: Row[];
  /**
   * The baseline against itself: what a difference of nothing looks like. Null if it has no pairs.
   */
  noiseFloor: Row | null;
}

/** What the scenarios of a task are compared with: it has figures, and no changes. */
export interface Baseline {
  scenario: string;
  title: string;
  /** Its title among the rows of all tasks. */
  label: string;
  /** Null for an invalid row, and if nothing was measured. */
  figures: Figures | null;
  /** Null if the suite does not ask for it. */
  footprint: Footprint | null;
  /** What was proved before anything was measured; null if the scenario claims nothing. */
  proof: Proof | null;
  export: ExportMode;
}

/** One scenario against the baseline, with its pairs. */
export interface Row extends Baseline {
  task: string;
  /**
   * Without slices in which a steady rate was not held; the row is invalid if one of them has a
   * fault.
   */
  pairs: PairWithBursts[];
  /** How its cost moves with the requests served; null if it does not. */
  growth: Growth | null;
  faults: Fault[];
  /** How many slices were left out because the rate was not held, of how many, and why. */
  leftOut: { count: number; of: number; why: string | undefined };
  /**
   * Scenario minus baseline, in µs or bytes. Null if the row is invalid, or if it was not measured.
   */
  change: Record<Quantity, Estimate | null>;
  /**
   * All that a request takes of CPU, as a multiple of what it takes of the baseline: 2.8 for 1.8
   * times more. Of all figures it differs least between hours. Null if CPU was not measured.
   */
  cpuMultiple: Interval | null;
  /** What it costs more than the baseline in each pair, in µs; null if nobody knows. */
  trueCostsUs: number[] | null;
  /**
   * Measured minus true CPU per request, in µs: the mean of the pairs' own errors. Null if one of
   * them is not known.
   */
  costError: Estimate | null;
  /** How its sink behaves, if that is what is measured. */
  receiver: ReceiverBehaviour | undefined;
}

/** Returns a key of a row, the same in every run. What is about no row has one of its own. */
export function rowKeyOf({
  task,
  scenario,
}: {
  task: string | null;
  scenario: string | null;
}): string {
  return JSON.stringify([task, scenario]);
}

/** Returns whether several tasks have the same scenarios, of which a matrix is made. */
export function haveSameScenarios(scenariosOfTasks: readonly (readonly string[])[]): boolean {
  return new Set(scenariosOfTasks.map((names) => JSON.stringify(names))).size === 1;
}

/** Whether nothing went wrong in a pair. */
export function isValid({ faults }: Pair): boolean {
  return faults.length === 0;
}

/** Whether a run compares two revisions, or two versions of a package. */
export function isOfRevisions({ comparesRevisions }: Result['suite']): boolean {
  return comparesRevisions === true;
}

/**
 * Whether a row of revisions is none itself: it shows what the same server takes without the package
 * whose versions are compared.
 */
export function isReference({ suite }: Pick<Result, 'suite'>, { scenario }: Row): boolean {
  return isOfRevisions(suite) && isOfOldRevision(scenario);
}

/** Returns the scenarios' rows, and last the baseline against itself if it was measured. */
export function rowsWithNoiseFloor({
  rows,
  noiseFloor,
}: Pick<TaskAnalysis, 'rows' | 'noiseFloor'>): Row[] {
  return noiseFloor ? [...rows, noiseFloor] : rows;
}

/** Returns the baseline and the scenarios, each once. */
export function serversOf({ baseline, rows }: TaskAnalysis): (Baseline | Row)[] {
  return [baseline, ...rows];
}

/**
 * Whether the suite asks what servers take beside their work, also if a sink does not take their
 * spans: it compares products.
 */
export function hasFootprint({ tasks }: { tasks: TaskAnalysis[] }): boolean {
  return tasks.some(({ rows }) =>
    rows.some(({ footprint, receiver }) => footprint !== null || receiver !== undefined),
  );
}

/**
 * Returns the rows as rowsWithNoiseFloor() does, but products in the order of their cost, those
 * that have none last.
 */
export function sortedRows(run: { tasks: TaskAnalysis[] }, task: TaskAnalysis): Row[] {
  if (!hasFootprint(run)) return rowsWithNoiseFloor(task);
  const rows = task.rows.toSorted((one, other) => costOf(one) - costOf(other));
  return rowsWithNoiseFloor({ ...task, rows });
}

function costOf({ change }: Row): number {
  return (change.cpuUs ?? change.latencyUs)?.value ?? Number.POSITIVE_INFINITY;
}
