import { markdownTable } from 'markdown-table';
import { mean, median, min } from 'simple-statistics';
import { percent } from './cells.ts';
import { normalTwin } from './published.ts';
import { type Simulation, SLOPES } from './simulation.ts';
import { type Case, type Coverage, coverageOf } from './tables.ts';

const PAIRS = [3, 5, 10, 20];
const ROWS = [1, 3, 10, 30];
/** Of each result: pools of normal errors in the place of its own. */
const TWINS = 10;

/**
 * Returns how often simulated tables hold: one line for each size and kind of spread, over all
 * slopes and speeds.
 */
export function sizesTable({ noises, tables, random }: Simulation): string {
  const twins = noises.flatMap((noise) =>
    Array.from({ length: TWINS }, () => normalTwin(noise, random)),
  );
  const headings = [
    'Rows',
    'Pairs',
    'Spreads',
    'Student: hold',
    'least',
    'Adjusted: hold',
    'least',
    'normal pools: hold',
    'noise row differs',
    'Student ±',
    'adjusted ±',
  ];
  const lines = ROWS.flatMap((rows) =>
    PAIRS.flatMap((pairs) =>
      [false, true].map((isUnequal) => {
        const cases = casesOf(rows, pairs, isUnequal);
        const found = cases.map((each) => coverageOf(each, noises, tables, random));
        const normal = cases.map((each) => coverageOf(each, twins, tables, random));
        return [`${rows}`, `${pairs}`, isUnequal ? 'unequal' : 'equal', ...cellsOf(found, normal)];
      }),
    ),
  );
  return markdownTable([headings, ...lines]);
}

function casesOf(rows: number, pairs: number, isUnequal: boolean): Case[] {
  return SLOPES.flatMap((slope) =>
    [false, true].map((isDrifting) => ({ rows, pairs, slope, isUnequal, isDrifting })),
  );
}

function cellsOf(found: Coverage[], normal: Coverage[]): string[] {
  const plain = found.map((each) => each.plain);
  const adjusted = found.map((each) => each.adjusted);
  return [
    percent(mean(plain)),
    percent(min(plain)),
    percent(mean(adjusted)),
    percent(min(adjusted)),
    percent(mean(normal.map((each) => each.adjusted))),
    percent(mean(found.map(({ falseAlarms }) => falseAlarms))),
    percent(median(found.map(({ plainWidth }) => plainWidth))),
    percent(median(found.map(({ adjustedWidth }) => adjustedWidth))),
  ];
}
