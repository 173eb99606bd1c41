/**
 * A long run as truth: tables of a few of its pairs are drawn many times, and their intervals are
 * held against what all of its pairs say. Nothing is simulated: speeds, errors and slopes are those
 * that the machine had.
 */
import { median } from 'simple-statistics';
import { analyse } from '../../harness/analysis/analysis.ts';
import { adjustRun, type RunRow } from '../../harness/analysis/ancova.ts';
import { estimateTasks } from '../../harness/analysis/estimate.ts';
import { halfWidth, type Interval } from '../../harness/analysis/interval.ts';
import type { Estimate } from '../../harness/analysis/mean-estimate.ts';
import { samplesOf } from '../../harness/analysis/quantities.ts';
import { rowsWithNoiseFloor } from '../../harness/analysis/rows.ts';
import type { Sample } from '../../harness/analysis/sample.ts';
import type { Result } from '../../harness/result/schema.ts';
import { type Random, shareOfTrue } from './simulation.ts';

/** How often intervals of tables of so many pairs hold, and how wide they are. */
export interface LongRunCoverage {
  pairs: number;
  /** Parts of tables in which all intervals hold, by either analysis. */
  plain: number;
  adjusted: number;
  /** Medians of half-width / cost, of the rows that cost more than a tenth of the baseline. */
  plainWidth: number;
  adjustedWidth: number;
  /** The part of tables in which the baseline differs from itself; NaN if it was not measured. */
  falseAlarms: number;
}

/** One row of the long run. */
interface LongRow {
  task: string;
  samples: Sample[];
  isNoiseFloor: boolean;
  /** What all of its pairs say. */
  truth: Estimate;
  slope: number;
}

/** What one drawn table says. */
interface DrawnTable {
  doPlainHold: boolean;
  doAdjustedHold: boolean;
  plainWidth: number;
  adjustedWidth: number;
  isFalseAlarm: boolean | null;
}

/** Returns the coverage of so many tables that are drawn from a long run. */
export function coverageOfLongRun(
  result: Result,
  pairs: number,
  tables: number,
  random: Random,
): LongRunCoverage {
  const rows = longRowsOf(result);
  const drawn = Array.from({ length: tables }, () => drawTable(rows, pairs, random));
  const alarms = drawn.flatMap(({ isFalseAlarm }) => (isFalseAlarm === null ? [] : isFalseAlarm));
  return {
    pairs,
    plain: shareOfTrue(drawn.map(({ doPlainHold }) => doPlainHold)),
    adjusted: shareOfTrue(drawn.map(({ doAdjustedHold }) => doAdjustedHold)),
    plainWidth: median(drawn.map(({ plainWidth }) => plainWidth)),
    adjustedWidth: median(drawn.map(({ adjustedWidth }) => adjustedWidth)),
    falseAlarms: shareOfTrue(alarms),
  };
}

function longRowsOf(result: Result): LongRow[] {
  const rows = analyse(result).tasks.flatMap((task) =>
    rowsWithNoiseFloor(task)
      .filter(({ faults }) => faults.length === 0)
      .map((row) => ({
        task: task.name,
        samples: samplesOf(row.pairs, 'cpuUs', task.rate) ?? [],
        isNoiseFloor: row === task.noiseFloor,
      })),
  );
  const { estimates, slopes } = adjustRun(rows);
  return rows.flatMap((row, at) => {
    const truth = estimates[at];
    return truth ? [{ ...row, truth, slope: slopes.get(row.task)?.value ?? 1 }] : [];
  });
}

function drawTable(rows: readonly LongRow[], pairs: number, random: Random): DrawnTable {
  const drawn = rows.map(({ task, samples }) => ({ task, samples: draw(samples, pairs, random) }));
  const adjusted = adjustRun(drawn).estimates.map((each) => each as Estimate);
  const plain = plainEstimates(drawn);
  const truths = rows.map((row, at) => truthAt(row, adjusted[at] as Estimate));
  // A draw is a part of the whole that it is held against, so it comes closer to it than to the
  // truth: by the factor of a draw without replacement.
  const closeness = rows.map(({ samples }) => Math.sqrt(1 - pairs / samples.length));
  const doAllHold = (estimates: readonly Interval[]) =>
    estimates.every((each, at) => holdsBeside(each, truths[at] ?? 0, closeness[at] ?? 1));
  const floor = rows.findIndex(({ isNoiseFloor }) => isNoiseFloor);
  const isNotable = rows.map(({ truth }) => truth.value > truth.baseline / 10);
  return {
    doPlainHold: doAllHold(plain),
    doAdjustedHold: doAllHold(adjusted),
    plainWidth: relativeWidth(plain.filter((_, at) => isNotable[at])),
    adjustedWidth: relativeWidth(adjusted.filter((_, at) => isNotable[at])),
    // Here the truth is known to be nothing, whatever the whole run says.
    isFalseAlarm: floor < 0 ? null : !holdsBeside(adjusted[floor] as Estimate, 0, 1),
  };
}

function plainEstimates(rows: readonly RunRow[]): Estimate[] {
  const tasks = [...Map.groupBy(rows, ({ task }) => task).values()];
  const samples = tasks.map((own) => own.map((row) => row.samples));
  return estimateTasks(samples, 'mean').flat() as Estimate[];
}

/** Returns what a row costs at the mean speed that the machine had in a draw. */
function truthAt({ truth, slope }: LongRow, { baseline }: Estimate): number {
  return truth.value * (1 + slope * (baseline / truth.baseline - 1));
}

function holdsBeside({ value, low, high }: Interval, truth: number, closeness: number): boolean {
  const error = (value - truth) / closeness;
  return low - value <= -error && -error <= high - value;
}

function relativeWidth(estimates: readonly Interval[]): number {
  return median(estimates.map((each) => halfWidth(each) / Math.abs(each.value)));
}

/** Draws without replacement. */
function draw(samples: readonly Sample[], count: number, random: Random): Sample[] {
  const left = [...samples];
  return Array.from({ length: count }, () => {
    const at = Math.floor(random() * left.length);
    return left.splice(at, 1)[0] as Sample;
  });
}
