import { markdownTable } from 'markdown-table';
import { mean, median, min } from 'simple-statistics';
import type { Result } from '../../harness/result/schema.ts';
import { percent } from './cells.ts';
import { type Measure, noisesOf, rowsOfAll } from './published.ts';
import type { Simulation } from './simulation.ts';
import { coverageOf } from './tables.ts';
import { WIDTH_HEADINGS, widthCells } from './widths.ts';

const MEASURES: Measure[] = ['cpuUs', 'latencyUs', 'p99Us', 'memoryBytes', 'startUpMs'];

/**
 * Returns widths of published rows, and coverage of simulated tables with their noise: one line for
 * each quantity.
 */
export function quantitiesTable(
  results: ReadonlyMap<string, Result>,
  simulated: Omit<Simulation, 'noises'>,
): string {
  const headings = [...WIDTH_HEADINGS, 'Student: hold', 'adjusted: hold', 'least'];
  const lines = MEASURES.map((measure) => {
    const noises = noisesOf(results, measure);
    const widths = widthCells(measure, rowsOfAll(results, measure));
    return noises.length > 0 ? [...widths, ...coverageCells({ ...simulated, noises })] : widths;
  });
  return markdownTable([headings, ...lines]);
}

function coverageCells({ noises, tables, random }: Simulation): string[] {
  const cases = [3, 5, 10].flatMap((pairs) =>
    [false, true].map((isUnequal) => {
      const slope = median(noises.map((noise) => noise.slope));
      return { rows: 5, pairs, slope, isUnequal, isDrifting: true };
    }),
  );
  const found = cases.map((each) => coverageOf(each, noises, tables, random));
  return [
    percent(mean(found.map(({ plain }) => plain))),
    percent(mean(found.map(({ adjusted }) => adjusted))),
    percent(min(found.map(({ adjusted }) => adjusted))),
  ];
}
