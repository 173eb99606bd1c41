import { markdownTable } from 'markdown-table';
import { mean, min } from 'simple-statistics';
import { percent } from './cells.ts';
import { type Simulation, SLOPES } from './simulation.ts';
import { coverageOfTasks } from './tasks.ts';

/**
 * Returns how often tables hold of tasks whose slopes differ, from not at all to twice as much as
 * the analysis takes for likely.
 */
export function tasksTable({ noises, tables, random }: Simulation): string {
  const headings = ['Slopes of tasks differ by', 'Pairs', 'Tables that hold', 'least'];
  const lines = [0, 0.2, 0.4].flatMap((slopeSpread) =>
    [3, 5, 10].map((pairs) => {
      const found = SLOPES.map((slope) =>
        coverageOfTasks({ pairs, slope, slopeSpread }, noises, tables, random),
      );
      return [`${slopeSpread}`, `${pairs}`, percent(mean(found)), percent(min(found))];
    }),
  );
  return markdownTable([headings, ...lines]);
}
