/**
 * Tables of products, simulated: once each row is known by itself, pairs go to rows that are
 * neither told apart from the row next to them, nor alike. How often do signs and intervals hold
 * then, and how many pairs does that take?
 */
import { mean } from 'simple-statistics';
import type { Estimate } from '../../harness/analysis/mean-estimate.ts';
import {
  ALIKE_SHARE,
  adjacentIn,
  pairsAmong,
  type Standing,
} from '../../harness/analysis/neighbours.ts';
import { isKnownWellEnough } from '../../harness/analysis/precision.ts';
import type { PrecisionRule } from '../../harness/settle/pairs-rule.ts';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  addPairsUntil,
  allHold,
  drawOne,
  estimatesAt,
  meanBaselineOf,
  type Random,
  type SimulatedRow,
  shareOfTrue,
  simulate,
  speedsOf,
  truthOf,
} from './simulation.ts';

export interface RankingCase {
  /** How much more a request takes of each row than of the one before it, as a share. */
  step: number;
  slope: number;
  /** Whether pairs are also added until rows are told apart, or alike. */
  isRanking: boolean;
  rule: PrecisionRule;
  /** The level at which intervals are computed. */
  level: number;
}

export interface Ranked {
  /** The part of tables of which no row is wrongly told apart from the next, or called alike. */
  trueSigns: number;
  /** The part of tables in which all intervals of rows hold. */
  coverage: number;
  /** The part of all neighbours that are neither told apart nor alike. */
  unclear: number;
  pairsPerRow: number;
}

const ROWS = 6;

export function rankingOf(
  each: RankingCase,
  noises: readonly NoiseOfRun[],
  tables: number,
  random: Random,
): Ranked {
  const found = simulate(tables, noises, random, (noise) => tableOf(each, noise, random));
  return {
    trueSigns: shareOfTrue(found.map(({ areSignsTrue }) => areSignsTrue)),
    coverage: shareOfTrue(found.map(({ doHold }) => doHold)),
    unclear: mean(found.map(({ unclear }) => unclear)),
    pairsPerRow: mean(found.map(({ pairs }) => pairs)),
  };
}

/** What one table showed when its rule ended it. */
interface RankedTable {
  areSignsTrue: boolean;
  doHold: boolean;
  /** The part of its neighbours. */
  unclear: number;
  /** In the mean of its rows. */
  pairs: number;
}

function tableOf(each: RankingCase, noise: NoiseOfRun, random: Random): RankedTable {
  const { rule, level, slope } = each;
  const rows = rowsOf(each, noise, random);
  const nextSpeed = speedsOf(noise, { isDrifting: true }, random);
  addPairsUntil(
    rows,
    rule.pairs,
    () => unfinishedOf(rows, each),
    (row) => addPair(row, nextSpeed(), slope, noise, random),
  );
  const truths = rows.map((row) => truthOf(row, rows, slope));
  const baseline = meanBaselineOf(rows);
  const estimates = estimatesAt(rows, level);
  const neighbours = neighboursIn(rows, estimates).map(({ kind, first, second }) => {
    const totals = [first, second].map(({ at }) => baseline + (truths[at] ?? Number.NaN));
    return { kind, difference: (totals[1] ?? 0) / (totals[0] ?? 0) - 1 };
  });
  return {
    areSignsTrue: neighbours.every(isTrue),
    doHold: allHold(estimates, truths),
    unclear: shareOfTrue(neighbours.map(({ kind }) => kind === 'unclear')),
    pairs: mean(rows.map(({ samples }) => samples.length)),
  };
}

/** Rows without pairs: the first costs what a published row does. */
function rowsOf({ step }: RankingCase, noise: NoiseOfRun, random: Random): SimulatedRow[] {
  const total = 1 + drawOne(noise.costs, random);
  return Array.from({ length: ROWS }, (_, at) => ({
    cost: total * (1 + step) ** at - 1,
    spread: drawOne(noise.spreads, random),
    samples: [],
  }));
}

function unfinishedOf(
  rows: readonly SimulatedRow[],
  { rule, level, isRanking }: RankingCase,
): SimulatedRow[] {
  const estimates = estimatesAt(rows, level);
  const isOpen = ({ samples }: SimulatedRow) => samples.length < rule.mostPairs;
  const unknown = rows.filter((row, at) => {
    const estimate = estimates[at];
    return isOpen(row) && !(estimate && isKnownWellEnough(estimate, rule.within));
  });
  if (unknown.length > 0 || !isRanking) return unknown;
  const unclear = neighboursIn(rows, estimates).filter(({ kind }) => kind === 'unclear');
  const inDoubt = new Set(unclear.flatMap(({ first, second }) => [first.row, second.row]));
  return [...inDoubt].filter(isOpen);
}

function neighboursIn(rows: readonly SimulatedRow[], estimates: readonly (Estimate | null)[]) {
  const known = rows.flatMap((row, at) => {
    const cost = estimates[at];
    return cost ? [{ row, at, cost }] : [];
  });
  return adjacentIn(known, pairsAmong(known.length));
}

/** What is said of two neighbours, and by which share the second truly takes more. */
interface Claim {
  kind: Standing['kind'];
  difference: number;
}

/** Nothing is claimed of those that are unclear. */
function isTrue({ kind, difference }: Claim): boolean {
  if (kind === 'apart') return difference > 0;
  return kind === 'unclear' || Math.abs(difference) <= ALIKE_SHARE;
}
