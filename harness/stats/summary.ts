import type { Result } from '../results/schema.ts';
import { type Consistency, consistencyOf } from './consistency.ts';
import { type DuetRow, duetSummary, noiseFloorUs } from './duet.ts';
import { type SoloRow, soloRows } from './solo.ts';

/** All that a report prints, computed from the result. */
export interface Summary {
  rows: Row[];
  /** The baseline against itself; undefined where there were no duets. */
  noiseFloor: DuetRow | undefined;
  /** In µs a request; 0 where it is not known. */
  noiseFloorUs: number;
  /** CPU per request of the baseline in its duets, in µs; undefined where there were none. */
  baselineUs: number | undefined;
  consistency: Consistency | undefined;
}

export interface Row {
  scenario: string;
  title: string;
  isBaseline: boolean;
  solo: SoloRow;
  /** Undefined for the baseline, and where there were no duets. */
  duet: DuetRow | undefined;
}

export function summarise(result: Result): Summary {
  const solo = soloRows(result);
  const { baselineUs, rows: duets, noiseFloor } = duetSummary(result);
  const hasDuets = result.duetForks.length > 0;
  const rows = solo.map((row) => ({
    scenario: row.scenario,
    title: row.title,
    isBaseline: row.isBaseline,
    solo: row,
    duet: hasDuets ? duets.find(({ scenario }) => scenario === row.scenario) : undefined,
  }));
  return {
    rows,
    noiseFloor: hasDuets ? noiseFloor : undefined,
    noiseFloorUs: noiseFloorUs(noiseFloor),
    baselineUs,
    consistency: consistencyOf(rows, result.configuration.connections),
  };
}

/** Every reason why a row shows no number, of both kinds of measurement. */
export function invalidityOf({ solo, duet }: Row): string[] {
  return [...solo.invalid, ...(duet?.invalid ?? [])];
}
