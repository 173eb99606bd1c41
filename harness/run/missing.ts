import type { Plan, PlannedRow } from '../plan/plan.ts';
import type { Result } from '../result/schema.ts';
import { isOfRow, type OfRow } from './of-row.ts';

/** What a result lacks of its plan beside pairs. An earlier part of the run may have done some. */
export interface Missing {
  /** Rows without start-ups. */
  startUps: PlannedRow[];
  /** Rows whose CPU without requests was not measured. */
  idles: PlannedRow[];
}

/** Returns what the result lacks of the plan, beside pairs. */
export function missingIn(result: Result, plan: Plan): Missing {
  const { starts, idleSeconds } = plan.header.configuration;
  return {
    startUps: starts > 0 ? rowsWithout(result.startUps, plan) : [],
    idles: idleSeconds > 0 ? rowsWithout(result.idles, plan) : [],
  };
}

function rowsWithout(parts: readonly OfRow[], { rows }: Plan): PlannedRow[] {
  return rows.filter((row) => !parts.some((part) => isOfRow(row, part)));
}
