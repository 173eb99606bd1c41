import { isByRule } from '../analysis/aims.ts';
import { measuredRunOf } from '../analysis/analysis.ts';
import { precisionsOf, type RowPrecision } from '../analysis/precision.ts';
import { neighbourPrecisions } from '../analysis/ranking.ts';
import { isMarked, warningsOf } from '../analysis/warnings/list.ts';
import type { Plan, PlannedPair, PlannedRow } from '../plan/plan.ts';
import type { EndReason, Result } from '../result/schema.ts';
import { failedBaselines, isGivenUp } from './given-up.ts';
import { isOfRow, pairsOf } from './of-row.ts';
import { planRound } from './order.ts';

/*
 * Which pairs come next: one of each row that needs more, in rounds. Pure: the seed and the pairs
 * that are there decide, so a run that goes on later measures what it would have measured.
 */

/** What a row needs. */
export interface RowNeed {
  row: PlannedRow;
  /** How many pairs it has. */
  pairs: number;
  /** How many more it is likely to get. */
  morePairs: number;
  /**
   * How well it is known for each aim, and beside each row next to it; empty if the number of pairs
   * is fixed. Without pairs, no aim is reached.
   */
  precisions: RowPrecision[];
}

/** A round as far as it is still to be measured. */
export interface Round {
  pairs: PlannedPair[];
  /** What each row needed when the round began. */
  needs: RowNeed[];
}

/**
 * Yields the rounds that a result lacks, one after the other. Whoever takes one adds its pairs to
 * the result before the next. Rounds that are there are gone through again, since what they showed
 * decided what came next.
 */
export function* roundsOf(plan: Plan, result: Result): Generator<Round, void> {
  const { rows, header } = plan;
  const counts = new Map(rows.map((row) => [row, 0]));
  const countOf = (row: PlannedRow) => counts.get(row) ?? 0;
  for (let round = 1; ; round++) {
    const needs = rowNeeds(plan, firstPairs(rows, countOf, result));
    const inNeed = needs.filter(({ morePairs }) => morePairs > 0).map(({ row }) => row);
    // An earlier version may have asked for more pairs: all that are there decide.
    const unseen = rows.filter((row) => pairsOf(row, result).length > countOf(row));
    const open = new Set(inNeed.length > 0 ? inNeed : unseen);
    if (open.size === 0) return;
    const planned = planRound(rows, round, header.configuration.seed).filter(({ row }) =>
      open.has(row),
    );
    const pairs = planned.filter(({ row }) => pairsOf(row, result).length <= countOf(row));
    if (pairs.length > 0) yield { pairs, needs };
    for (const row of open) counts.set(row, countOf(row) + 1);
  }
}

/** Returns what each row of the plan needs, after these pairs. */
export function rowNeeds({ rows, header }: Plan, result: Result): RowNeed[] {
  const { configuration } = header;
  const all = isByRule(configuration) ? precisionsIn({ ...result, configuration }, rows) : [];
  return rows.map((row) => {
    const measured = pairsOf(row, result);
    const precisions = all.filter((each) => isOfRow(row, each));
    const wanted = precisions.map(({ morePairs }) => morePairs);
    const morePairs = Math.max(configuration.pairs - measured.length, 0, ...wanted);
    return {
      row,
      pairs: measured.length,
      morePairs: isGivenUp(row, result) ? 0 : morePairs,
      precisions,
    };
  });
}

/**
 * Returns how well rows are known by themselves, and, once none of them gets more pairs for that,
 * beside each other if the run is a ranking. Rows with a warning of their own have no place in it.
 */
function precisionsIn(result: Result, rows: readonly PlannedRow[]): RowPrecision[] {
  const run = measuredRunOf(result);
  const own = precisionsOf(run);
  const going = rows.filter((row) => !isGivenUp(row, result));
  const isWanting = going.some((row) =>
    own.some((each) => isOfRow(row, each) && each.morePairs > 0),
  );
  if (isWanting || !run.header.configuration.isRanking) return own;
  const warnings = warningsOf(run);
  return [...own, ...neighbourPrecisions(run, (row) => !isMarked({ warnings }, row))];
}

/** Returns why a run ends that needs no more pairs. */
export function endReasonOf(
  { header }: Plan,
  needs: readonly RowNeed[],
  result: Result,
): EndReason {
  const failed = new Set(failedBaselines(result).map(({ task }) => task));
  if (needs.length > 0 && needs.every(({ row }) => failed.has(row.task.name))) return 'failed';
  if (!isByRule(header.configuration)) return 'complete';
  const precisions = needs.flatMap((need) => need.precisions);
  return precisions.every(({ meetsAimByEnoughPairs }) => meetsAimByEnoughPairs) ? 'known' : 'short';
}

/** Returns the result with so many pairs of each row: as it was when the round began. */
function firstPairs(
  rows: readonly PlannedRow[],
  countOf: (row: PlannedRow) => number,
  result: Result,
): Result {
  const kept = new Set(rows.flatMap((row) => pairsOf(row, result).slice(0, countOf(row))));
  return { ...result, pairs: result.pairs.filter((pair) => kept.has(pair)) };
}
