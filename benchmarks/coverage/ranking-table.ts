import { markdownTable } from 'markdown-table';
import { mean, min } from 'simple-statistics';
import { RULE_LEVEL } from '../../harness/analysis/estimate.ts';
import { FULL_RULE } from '../../harness/settle/pairs-rule.ts';
import { percent } from './cells.ts';
import { rankingOf } from './ranking.ts';
import { type Simulation, SLOPES } from './simulation.ts';
import { askedBy } from './stopping.ts';

/**
 * Returns how often signs hold of products of which each takes so much more than the one before:
 * with pairs to rank them, and without.
 */
export function rankingTable({ noises, tables, random }: Simulation): string {
  const headings = [
    'Each takes more by',
    'Pairs until',
    'Tables whose signs hold',
    'least',
    'Tables that hold',
    'least',
    'Neighbours with ?',
    'Pairs a row',
  ];
  const lines = [0, 0.03, 0.06, 0.09, 0.11].flatMap((step) =>
    [false, true].map((isRanking) => {
      const each = { ...askedBy(FULL_RULE), step, isRanking, level: RULE_LEVEL };
      const found = SLOPES.map((slope) =>
        rankingOf({ ...each, slope }, noises, tables / 2, random),
      );
      return [
        percent(step),
        isRanking ? 'told apart, or alike' : 'known',
        percent(mean(found.map(({ trueSigns }) => trueSigns))),
        percent(min(found.map(({ trueSigns }) => trueSigns))),
        percent(mean(found.map(({ coverage }) => coverage))),
        percent(min(found.map(({ coverage }) => coverage))),
        percent(mean(found.map(({ unclear }) => unclear))),
        mean(found.map(({ pairsPerRow }) => pairsPerRow)).toFixed(1),
      ];
    }),
  );
  return markdownTable([headings, ...lines]);
}
