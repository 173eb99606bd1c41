import type { Plan, PlannedPair, PlannedRow } from '../plan/plan.ts';
import type { Result } from '../result/schema.ts';
import { planRound } from './order.ts';

/** What a result lacks of its plan, in the order in which it is measured. An earlier part of the run may have done some. */
export interface Missing {
  /** Rows without start-ups. */
  startUps: PlannedRow[];
  pairs: NumberedPair[];
  /** Rows without a standing cost. */
  idles: PlannedRow[];
}

/** A pair, and which of its row it is, from 1 on. */
export interface NumberedPair {
  round: number;
  pair: PlannedPair;
}

/** Returns what the result lacks of the plan. */
export function missingIn(result: Result, plan: Plan): Missing {
  const { starts, idleSeconds } = plan.header.configuration;
  return {
    startUps: starts > 0 ? rowsWithout(result.startUps, plan) : [],
    pairs: missingPairs(result, plan),
    idles: idleSeconds > 0 ? rowsWithout(result.idles, plan) : [],
  };
}

/** The part of a result that says of which row it is. */
export interface OfRow {
  task: string;
  scenario: string;
}

export function isOfRow({ task, scenario }: PlannedRow, part: OfRow): boolean {
  return part.task === task.name && part.scenario === scenario.name;
}

function rowsWithout(parts: readonly OfRow[], { rows }: Plan): PlannedRow[] {
  return rows.filter((row) => !parts.some((part) => isOfRow(row, part)));
}

function missingPairs(result: Result, { rows, header }: Plan): NumberedPair[] {
  const { pairs, seed } = header.configuration;
  const rounds = Array.from({ length: pairs }, (_, index) => index + 1);
  return rounds.flatMap((round) =>
    planRound(rows, round, seed)
      .filter(({ row }) => countOf(row, result) < round)
      .map((pair) => ({ round, pair })),
  );
}

function countOf(row: PlannedRow, { pairs }: Result): number {
  return pairs.filter((pair) => isOfRow(row, pair)).length;
}
