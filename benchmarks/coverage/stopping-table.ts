import { markdownTable } from 'markdown-table';
import { mean, min } from 'simple-statistics';
import { withinText } from '../../harness/analysis/aims.ts';
import { FULL_RULE, QUICK_RULE, REVISIONS_RULE } from '../../harness/settle/pairs-rule.ts';
import { percent } from './cells.ts';
import { type Simulation, SLOPES } from './simulation.ts';
import { askedBy, stoppingOf } from './stopping.ts';

/** Returns how often simulated tables hold that the rule of `--within` ends, and their pairs. */
export function stoppingTable({ noises, tables, random }: Simulation): string {
  const levels = [0.95, 0.97];
  const cases = [
    ...[FULL_RULE, QUICK_RULE].flatMap((rule) =>
      [false, true].flatMap((isUnequal) =>
        levels.map((level) => ({ ...askedBy(rule), isUnequal, level })),
      ),
    ),
    ...levels.map((level) => ({ ...askedBy(REVISIONS_RULE), isUnequal: false, level })),
  ];
  const lines = cases.map((each) => {
    const found = SLOPES.map((slope) => stoppingOf({ ...each, slope }, noises, tables / 2, random));
    return [
      withinText(each.within),
      each.isUnequal ? 'unequal' : 'equal',
      percent(each.level),
      percent(mean(found.map(({ coverage }) => coverage))),
      percent(min(found.map(({ coverage }) => coverage))),
      mean(found.map(({ pairsPerRow }) => pairsPerRow)).toFixed(1),
    ];
  });
  const headings = ['Within', 'Spreads', 'Computed at', 'Tables that hold', 'least', 'Pairs a row'];
  return markdownTable([headings, ...lines]);
}
