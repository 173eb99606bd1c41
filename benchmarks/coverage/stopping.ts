/**
 * The rule of `--within`, simulated: each round adds a pair to every row that is not known well
 * enough. Such a rule stops where the spread looks small by chance, so that intervals hold less
 * often (C. Stein, Annals of Mathematical Statistics 16, 1945, 243-258).
 */
import { mean } from 'simple-statistics';
import { type PrecisionRule, REVISIONS_RULE } from '../../harness/settle/pairs-rule.ts';
import type { NoiseOfRun } from './published.ts';
import {
  emptyRows,
  type Random,
  type RuleCase,
  runByRule,
  type SimulatedRow,
  shareOfTrue,
  simulate,
  unknownRows,
} from './simulation.ts';

export interface StoppingCase extends RuleCase {
  isUnequal: boolean;
  /** Whether a table is one row, a revision that takes a fiftieth more than another. */
  isOfRevisions: boolean;
}

export interface Stopped {
  /** The part of tables in which all intervals hold. */
  coverage: number;
  pairsPerRow: number;
}

const ROWS = 5;
const COST_OF_REVISION = 0.02;

/** Returns what a rule asks for, and how many pairs that may take. */
export function askedBy(rule: PrecisionRule): Omit<StoppingCase, 'slope' | 'isUnequal' | 'level'> {
  const { within, pairs, mostPairs } = rule;
  return { within, leastPairs: pairs, mostPairs, isOfRevisions: rule === REVISIONS_RULE };
}

/** Returns how often the intervals of tables hold that the rule has ended, and what that took. */
export function stoppingOf(
  each: StoppingCase,
  noises: readonly NoiseOfRun[],
  tables: number,
  random: Random,
): Stopped {
  const found = simulate(tables, noises, random, (noise) => {
    const rows = rowsOf(each, noise, random);
    return runByRule(rows, each, noise, random, () => unknownRows(rows, each));
  });
  return {
    coverage: shareOfTrue(found.map(({ doHold }) => doHold)),
    pairsPerRow: mean(found.map(({ pairs }) => pairs)),
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
