/**
 * The rule of `--within`, simulated: each round adds a pair to every row that is not known well
 * enough. Such a rule stops where the spread looks small by chance, so that intervals hold less
 * often (C. Stein, Annals of Mathematical Statistics 16, 1945, 243-258).
 */
import { mean } from 'simple-statistics';
import { adjustRun } from '../../harness/analysis/ancova.ts';
import type { Estimate } from '../../harness/analysis/mean-estimate.ts';
import { isKnownWellEnough } from '../../harness/analysis/precision.ts';
import type { Precision } from '../../harness/result/schema.ts';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  emptyRows,
  holds,
  type Random,
  type SimulatedRow,
  shareOfTrue,
  simulate,
  speedsOf,
  truthOf,
} from './simulation.ts';

export interface StoppingCase {
  slope: number;
  isUnequal: boolean;
  /** The precision that is asked for. */
  within: Precision;
  /** The fewest and the most pairs of a row. */
  leastPairs: number;
  mostPairs: number;
  /** Whether a table is one row, a revision that takes a fiftieth more than another. */
  isOfRevisions: boolean;
  /** The level at which intervals are computed. */
  level: number;
}

export interface Stopped {
  /** The part of tables in which all intervals hold. */
  coverage: number;
  pairsPerRow: number;
}

const ROWS = 5;
const COST_OF_REVISION = 0.02;

export function stoppingOf(
  each: StoppingCase,
  noises: readonly NoiseOfRun[],
  tables: number,
  random: Random,
): Stopped {
  const results = simulate(tables, noises, random, (noise) => tableOf(each, noise, random));
  return {
    coverage: shareOfTrue(results.map(({ doHold }) => doHold)),
    pairsPerRow: mean(results.map(({ pairs }) => pairs)),
  };
}

/** What one table showed when its rule ended it. */
interface StoppedTable {
  doHold: boolean;
  /** In the mean of its rows. */
  pairs: number;
}

function tableOf(each: StoppingCase, noise: NoiseOfRun, random: Random): StoppedTable {
  const rows = rowsOf(each, noise, random);
  const nextSpeed = speedsOf(noise, { isDrifting: true }, random);
  const add = (row: SimulatedRow) => addPair(row, nextSpeed(), each.slope, noise, random);
  for (let pair = 0; pair < each.leastPairs; pair++) rows.forEach(add);
  let unfinished = unfinishedOf(rows, each);
  while (unfinished.length > 0) {
    unfinished.forEach(add);
    unfinished = unfinishedOf(rows, each);
  }
  const estimates = estimatesOf(rows, each.level);
  const doHold = estimates.every((estimate, at) => {
    const row = rows[at];
    return estimate && row ? holds(estimate, truthOf(row, rows, each.slope)) : false;
  });
  return { doHold, pairs: mean(rows.map(({ samples }) => samples.length)) };
}

function rowsOf(
  { isOfRevisions, isUnequal }: StoppingCase,
  noise: NoiseOfRun,
  random: Random,
): SimulatedRow[] {
  if (!isOfRevisions) return emptyRows({ rows: ROWS, isUnequal }, noise, random);
  return [{ cost: COST_OF_REVISION, spread: noise.smallSpread, samples: [] }];
}

function unfinishedOf(
  rows: SimulatedRow[],
  { level, within, mostPairs }: StoppingCase,
): SimulatedRow[] {
  const estimates = estimatesOf(rows, level);
  return rows.filter(({ samples }, at) => {
    const estimate = estimates[at];
    const isKnown = estimate !== null && estimate !== undefined;
    const isDone = isKnown && isKnownWellEnough(estimate, within);
    return !isDone && samples.length < mostPairs;
  });
}

function estimatesOf(rows: SimulatedRow[], level: number): (Estimate | null)[] {
  return adjustRun(
    rows.map(({ samples }) => ({ task: '', samples })),
    level,
  ).estimates;
}
