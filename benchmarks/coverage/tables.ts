/**
 * Simulated tables: in how many of them all intervals hold at once, and how wide they are. The
 * target is the cost at the mean speed of each simulated run.
 */
import { median } from 'simple-statistics';
import { adjustRun } from '../../harness/analysis/ancova.ts';
import { multipleOf } from '../../harness/analysis/compare-estimates.ts';
import { estimateTasks } from '../../harness/analysis/estimate.ts';
import type { Interval } from '../../harness/analysis/interval.ts';
import type { Estimate } from '../../harness/analysis/mean-estimate.ts';
import type { NoiseOfRun } from './published.ts';
import {
  addPair,
  allHold,
  emptyRows,
  holds,
  meanBaselineOf,
  type Random,
  shareOfTrue,
  simulate,
  speedsOf,
  truthOf,
  widthOf,
} from './simulation.ts';

export interface Case {
  rows: number;
  pairs: number;
  slope: number;
  isUnequal: boolean;
  isDrifting: boolean;
}

export interface Coverage {
  /** Parts of tables in which all intervals hold. */
  plain: number;
  adjusted: number;
  multiples: number;
  /** Of the baseline against itself; not a number if no table has it. */
  falseAlarms: number;
  /** Medians of half-width / cost. */
  plainWidth: number;
  adjustedWidth: number;
}

/** Returns the coverage of so many simulated tables of a case. */
export function coverageOf(
  each: Case,
  noises: readonly NoiseOfRun[],
  tables: number,
  random: Random,
): Coverage {
  const results = simulate(tables, noises, random, (noise) => tableOf(each, noise, random));
  const alarms = results.flatMap(({ isFalseAlarm }) => (isFalseAlarm === null ? [] : isFalseAlarm));
  return {
    plain: shareOfTrue(results.map(({ plainHolds }) => plainHolds)),
    adjusted: shareOfTrue(results.map(({ adjustedHolds }) => adjustedHolds)),
    multiples: shareOfTrue(results.map(({ multiplesHold }) => multiplesHold)),
    falseAlarms: shareOfTrue(alarms),
    plainWidth: median(results.map(({ plainWidth }) => plainWidth)),
    adjustedWidth: median(results.map(({ adjustedWidth }) => adjustedWidth)),
  };
}

/** What one simulated table shows, by either analysis. */
interface SimulatedTable {
  plainHolds: boolean;
  adjustedHolds: boolean;
  multiplesHold: boolean;
  /** Whether the baseline differs from itself; null for a table without it. */
  isFalseAlarm: boolean | null;
  plainWidth: number;
  adjustedWidth: number;
}

function tableOf(each: Case, noise: NoiseOfRun, random: Random): SimulatedTable {
  const rows = emptyRows(each, noise, random);
  const nextSpeed = speedsOf(noise, each, random);
  for (let pair = 0; pair < each.pairs; pair++)
    for (const row of rows) addPair(row, nextSpeed(), each.slope, noise, random);
  const adjusted = adjustRun(rows.map(({ samples }) => ({ task: '', samples }))).estimates;
  const plain = estimateTasks([rows.map(({ samples }) => samples)], 'mean')[0] ?? [];
  const truths = rows.map((row) => truthOf(row, rows, each.slope));
  const meanBaseline = meanBaselineOf(rows);
  const multiples = adjusted.map((estimate) => multipleOf(estimate as Estimate));
  const multipleTruths = truths.map((truth) => 1 + truth / meanBaseline);
  return {
    plainHolds: allHold(plain, truths),
    adjustedHolds: allHold(adjusted, truths),
    multiplesHold: allHold(multiples, multipleTruths),
    isFalseAlarm: each.rows >= 3 ? !holds(adjusted.at(-1) as Interval, 0) : null,
    plainWidth: widthOf(plain, truths),
    adjustedWidth: widthOf(adjusted, truths),
  };
}
