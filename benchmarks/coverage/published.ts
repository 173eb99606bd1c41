/**
 * What published results say of noise, for simulations: speeds, errors and costs of their rows. A
 * folder of results goes in.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean, probit, sampleStandardDeviation } from 'simple-statistics';
import { analyse } from '../../harness/analysis/analysis.ts';
import { adjustRun, type RunRow } from '../../harness/analysis/ancova.ts';
import { estimateTasks } from '../../harness/analysis/estimate.ts';
import { startSamples } from '../../harness/analysis/footprint.ts';
import type { Estimate } from '../../harness/analysis/mean-estimate.ts';
import { type Quantity, samplesOf } from '../../harness/analysis/quantities.ts';
import { rowsWithNoiseFloor } from '../../harness/analysis/rows.ts';
import type { Sample } from '../../harness/analysis/sample.ts';
import { readResult } from '../../harness/result/file.ts';
import type { Result } from '../../harness/result/schema.ts';

/** What is read from each row: a quantity of its pairs, or the time to the first answer. */
export type Measure = Quantity | 'startUpMs';

/** A row by both analyses of the same pairs. */
export interface PublishedRow {
  plain: Estimate;
  adjusted: Estimate;
  /** By which its task's costs were adjusted. */
  slope: number;
  samples: readonly Sample[];
}

/** What a simulation draws from. */
export interface NoiseOfRun {
  name: string;
  /** The baselines of pairs as parts of their mean, less 1. */
  speeds: number[];
  /** Errors of rows that cost something: mean 0, standard deviation 1. */
  errors: number[];
  /** How many pairs each row had of which these errors are. */
  errorCounts: number[];
  /** Standard deviations of errors of these rows, as parts of their totals. */
  spreads: number[];
  /** Costs of these rows, as parts of the baseline. */
  costs: number[];
  /** The standard deviation of errors of rows that cost next to nothing. */
  smallSpread: number;
  slope: number;
}

/** Returns all results of a folder that have pairs, by their names. */
export function readResults(folder: string): Map<string, Result> {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.json') && isResult(folder, file),
  );
  const results = files.map((file) => [file, readResult(join(folder, file))] as const);
  return new Map(results.filter(([, { pairs }]) => pairs.length > 0));
}

/** Records of other benchmarks are kept in the same folder. */
function isResult(folder: string, file: string): boolean {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')).kind === 'tracetax';
}

/** Returns the rows of a result in which this was measured, by both analyses. */
export function publishedRows(result: Result, measure: Measure): PublishedRow[] {
  const rows = measuredRows(result, measure);
  const { estimates, slopes } = adjustRun(rows);
  const tasks = [...new Set(rows.map(({ task }) => task))];
  const plain = estimateTasks(
    tasks.map((task) => rows.filter((row) => row.task === task).map(({ samples }) => samples)),
    'mean',
  ).flat();
  return rows.flatMap(({ task, samples }, at) => {
    const slope = slopes.get(task)?.value ?? 1;
    const adjusted = estimates[at];
    const before = plain[at];
    return adjusted && before && samples ? [{ plain: before, adjusted, slope, samples }] : [];
  });
}

/** Returns the rows of all results in which this was measured. */
export function rowsOfAll(results: ReadonlyMap<string, Result>, measure: Measure): PublishedRow[] {
  return [...results.values()].flatMap((result) => publishedRows(result, measure));
}

/** Whether a row costs more than a tenth of its baseline. */
export function isNotable({ plain, adjusted }: PublishedRow): boolean {
  return Math.abs(plain.value) > adjusted.baseline / 10;
}

/** Returns the noise of each run that has enough rows. */
export function noisesOf(results: ReadonlyMap<string, Result>, measure: Measure): NoiseOfRun[] {
  return [...results].flatMap(
    ([name, result]) => noiseOf(name, publishedRows(result, measure)) ?? [],
  );
}

/** Returns the noise of a run; null if too few of its rows have three pairs. */
export function noiseOf(name: string, rows: readonly PublishedRow[]): NoiseOfRun | null {
  const repeated = rows.filter(({ samples }) => samples.length >= 3);
  const notable = repeated.filter(isNotable);
  const small = repeated.filter((row) => !isNotable(row));
  if (notable.length < 3) return null;
  return {
    name,
    speeds: centred(repeated.flatMap(speedsOf)),
    errors: centred(notable.flatMap(standardErrorsOf)),
    errorCounts: notable.map(({ samples }) => samples.length),
    spreads: notable.map(spreadOf),
    costs: notable.map(({ adjusted }) => adjusted.value / adjusted.baseline),
    smallSpread: small.length > 0 ? mean(small.map(spreadOf)) : mean(notable.map(spreadOf)) / 5,
    slope: mean(notable.map(({ slope }) => slope)),
  };
}

/**
 * Returns the same noise with errors that were made from normal ones in the same way. A pool
 * repeats some values, and has no tails beyond (n - 1) / √n deviations of a row of n: what that
 * alone does to coverage is seen by these.
 */
export function normalTwin(noise: NoiseOfRun, random: () => number): NoiseOfRun {
  const rows = noise.errorCounts.map((count) =>
    standardised(Array.from({ length: count }, () => probit(random()))),
  );
  return { ...noise, errors: centred(rows.flat()) };
}

function measuredRows(result: Result, measure: Measure): RunRow[] {
  if (measure === 'startUpMs') return startUpRows(result);
  const { tasks } = analyse(result);
  const rows = tasks.flatMap((task) => rowsWithNoiseFloor(task).map((row) => ({ task, row })));
  return rows.flatMap(({ task, row }) => {
    const samples = row.faults.length === 0 ? samplesOf(row.pairs, measure, task.rate) : null;
    return samples ? [{ task: task.name, samples }] : [];
  });
}

function startUpRows({ startUps }: Result): RunRow[] {
  return startUps.map(({ task, ms }) => ({ task, samples: startSamples(ms) }));
}

function speedsOf({ samples, adjusted }: PublishedRow): number[] {
  return samples.map(({ baseline }) => baseline / adjusted.baseline - 1);
}

/** As a part of the total. One degree of freedom is lost to the mean. */
function spreadOf({ adjusted }: PublishedRow): number {
  const total = adjusted.baseline + adjusted.value;
  return sampleStandardDeviation(adjusted.differences) / total;
}

function standardErrorsOf({ adjusted }: PublishedRow): number[] {
  return standardised(adjusted.differences);
}

/** With the mean 0 and the mean square 1; empty if all are the same. */
function standardised(values: readonly number[]): number[] {
  const n = values.length;
  const spread = sampleStandardDeviation([...values]) * Math.sqrt((n - 1) / n);
  const average = mean([...values]);
  return spread > 0 ? values.map((each) => (each - average) / spread) : [];
}

function centred(values: number[]): number[] {
  const average = mean(values);
  return values.map((value) => value - average);
}
