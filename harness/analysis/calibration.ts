import { mean } from 'simple-statistics';
import type { Analysis } from './analysis.ts';
import { estimate, holdsZero } from './estimate.ts';
import { rowsOf } from './task.ts';

/**
 * True against measured cost, in µs of CPU per request, for every row whose cost is known. A server's true cost differs a
 * little from pair to pair, so the error is the mean of the pairs' own errors. Nulls if it was not measured.
 */
export function calibrationRows({ tasks }: Analysis) {
  return tasks.flatMap((task) =>
    rowsOf(task).flatMap(({ title, trueCostsUs, change: { cpuUs } }) => {
      if (trueCostsUs === null) return [];
      const errors = cpuUs?.differences.map((measuredUs, pair) => measuredUs - (trueCostsUs[pair] ?? Number.NaN));
      const error = errors ? estimate(errors, rowsOf(task).length) : null;
      const [measured, isCovered] = [cpuUs?.estimate ?? null, error && holdsZero(error)];
      return [{ task: task.title, title, trueUs: mean(trueCostsUs), measured, error, isCovered }];
    }),
  );
}
