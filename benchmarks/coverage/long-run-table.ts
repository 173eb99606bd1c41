import { markdownTable } from 'markdown-table';
import type { Result } from '../../harness/result/schema.ts';
import { percent } from './cells.ts';
import { coverageOfLongRun } from './long-run.ts';
import type { Random } from './simulation.ts';

const DRAWS = 2_000;

/** Returns how often tables of 5 and 10 pairs hold that are drawn from a run that has many more. */
export function longRunTable(result: Result, random: Random): string {
  const headings = [
    'Pairs drawn',
    'Student: hold',
    'adjusted: hold',
    'Student ±',
    'adjusted ±',
    'noise row differs',
  ];
  const lines = [5, 10].map((pairs) => {
    const found = coverageOfLongRun(result, pairs, DRAWS, random);
    return [
      `${pairs}`,
      percent(found.plain),
      percent(found.adjusted),
      percent(found.plainWidth),
      percent(found.adjustedWidth),
      percent(found.falseAlarms),
    ];
  });
  return markdownTable([headings, ...lines]);
}
