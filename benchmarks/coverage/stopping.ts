/**
 * The rule of `--within`, simulated: each round adds a pair to every row that is not known well
 * enough. Such a rule stops where the spread looks small by chance, so that intervals hold less
 * often (C. Stein, Annals of Mathematical Statistics 16, 1945, 243-258).
 */
import { mean } from 'simple-statistics';
import { isKnownWellEnough } from '../../harness/analysis/precision.ts';
import type { Precision } from '../../harness/result/schema.ts';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  addPairsUntil,
  allHold,
  emptyRows,
  estimatesAt,
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
  const { leastPairs, level, slope } = each;
  const rows = rowsOf(each, noise, random);
  const nextSpeed = speedsOf(noise, { isDrifting: true }, random);
  addPairsUntil(
    rows,
    leastPairs,
    () => unfinishedOf(rows, each),
    (row) => addPair(row, nextSpeed(), slope, noise, random),
  );
  const truths = rows.map((row) => truthOf(row, rows, slope));
  return {
    doHold: allHold(estimatesAt(rows, level), truths),
    pairs: mean(rows.map(({ samples }) => samples.length)),
  };
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
  rows: readonly SimulatedRow[],
  { level, within, mostPairs }: StoppingCase,
): SimulatedRow[] {
  const estimates = estimatesAt(rows, level);
  return rows.filter(({ samples }, at) => {
    const estimate = estimates[at];
    const isKnown = estimate !== null && estimate !== undefined;
    const isDone = isKnown && isKnownWellEnough(estimate, within);
    return !isDone && samples.length < mostPairs;
  });
}
