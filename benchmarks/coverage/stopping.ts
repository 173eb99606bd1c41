/**
 * The rule of `--within`, simulated: each round adds a pair to every row that is not known well
 * enough. Such a rule stops where the spread looks small by chance, so that intervals hold less
 * often (C. Stein, Annals of Mathematical Statistics 16, 1945, 243-258).
 */
import { mean } from 'simple-statistics';
import { adjustRun } from '../../harness/analysis/ancova.ts';
import { isKnownWellEnough } from '../../harness/analysis/precision.ts';
import type { Precision } from '../../harness/result/schema.ts';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  drawOne,
  emptyRows,
  holds,
  type Random,
  type SimulatedRow,
  shareOf,
  speedsOf,
  truthOf,
} from './tables.ts';

export interface StoppingCase {
  slope: number;
  isUnequal: boolean;
  /** The precision that is asked for: 0.1 for `--within 10%`. */
  share: number;
  /** The level at which intervals are computed. */
  level: number;
}

export interface Stopped {
  /** The part of tables in which all intervals hold. */
  coverage: number;
  pairsPerRow: number;
}

const ROWS = 5;
const LEAST_PAIRS = 4;
const MOST_PAIRS = 30;

export function stoppingOf(
  each: StoppingCase,
  noises: readonly NoiseOfRun[],
  tables: number,
  random: Random,
): Stopped {
  const results = Array.from({ length: tables }, () =>
    tableOf(each, drawOne(noises, random), random),
  );
  return {
    coverage: shareOf(results.map(({ doHold }) => doHold)),
    pairsPerRow: mean(results.map(({ pairs }) => pairs / ROWS)),
  };
}

function tableOf(each: StoppingCase, noise: NoiseOfRun, random: Random) {
  const rows = emptyRows({ rows: ROWS, isUnequal: each.isUnequal }, noise, random);
  const nextSpeed = speedsOf(noise, true, random);
  const add = (row: SimulatedRow) => addPair(row, nextSpeed(), each.slope, noise, random);
  for (let pair = 0; pair < LEAST_PAIRS; pair++) rows.forEach(add);
  let unfinished = unfinishedOf(rows, each);
  while (unfinished.length > 0) {
    unfinished.forEach(add);
    unfinished = unfinishedOf(rows, each);
  }
  const estimates = estimatesOf(rows, each.level);
  const doHold = estimates.every((estimate, at) => {
    const row = rows[at];
    return estimate && row && holds(estimate, truthOf(row, rows, each.slope));
  });
  return { doHold, pairs: rows.reduce((pairs, { samples }) => pairs + samples.length, 0) };
}

function unfinishedOf(rows: SimulatedRow[], { level, share }: StoppingCase): SimulatedRow[] {
  const estimates = estimatesOf(rows, level);
  const within: Precision = { value: 100 * share, unit: '%' };
  return rows.filter(({ samples }, at) => {
    const estimate = estimates[at];
    const isKnown = estimate !== null && estimate !== undefined;
    const isDone = isKnown && isKnownWellEnough(estimate, within);
    return !isDone && samples.length < MOST_PAIRS;
  });
}

function estimatesOf(rows: SimulatedRow[], level: number) {
  return adjustRun(
    rows.map(({ samples }) => ({ task: '', samples })),
    level,
  ).estimates;
}
