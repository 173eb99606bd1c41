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
import type { NoiseOfRun } from './published.ts';
import {
  drawOne,
  estimatesAt,
  meanBaselineOf,
  type Random,
  type RuleCase,
  type RuleOutcome,
  runByRule,
  type SimulatedRow,
  shareOfTrue,
  simulate,
  unknownRows,
} from './simulation.ts';

export interface RankingCase extends RuleCase {
  /** How much more a request takes of each row than of the one before it, as a share. */
  step: number;
  /** Whether pairs are also added until rows are told apart, or alike. */
  isRanking: boolean;
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
interface RankedTable extends Pick<RuleOutcome, 'doHold' | 'pairs'> {
  areSignsTrue: boolean;
  /** The part of its neighbours. */
  unclear: number;
}

function tableOf(each: RankingCase, noise: NoiseOfRun, random: Random): RankedTable {
  const rows = rowsOf(each, noise, random);
  const { estimates, truths, doHold, pairs } = runByRule(rows, each, noise, random, () =>
    unfinishedOf(rows, each),
  );
  const baseline = meanBaselineOf(rows);
  const totals = truths.map((truth) => baseline + truth);
  const claims = neighboursIn(rows, estimates).map(({ kind, first, second }) => ({
    kind,
    difference: (totals[second.at] ?? Number.NaN) / (totals[first.at] ?? Number.NaN) - 1,
  }));
  return {
    areSignsTrue: claims.every(isTrue),
    unclear: shareOfTrue(claims.map(({ kind }) => kind === 'unclear')),
    doHold,
    pairs,
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

function unfinishedOf(rows: readonly SimulatedRow[], each: RankingCase): SimulatedRow[] {
  const unknown = unknownRows(rows, each);
  if (unknown.length > 0 || !each.isRanking) return unknown;
  const neighbours = neighboursIn(rows, estimatesAt(rows, each.level));
  const unclear = neighbours.filter(({ kind }) => kind === 'unclear');
  const inDoubt = new Set(unclear.flatMap(({ first, second }) => [first.row, second.row]));
  return [...inDoubt].filter(({ samples }) => samples.length < each.mostPairs);
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
