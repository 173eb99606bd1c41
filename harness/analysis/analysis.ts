import type { Result } from '../result/schema.ts';
import { curvesOf } from './curves.ts';
import { analyseTask } from './rows.ts';
import { warningsOf } from './warnings.ts';

/** A result as rows that own their pairs, with all that follows from them. */
export type Run = ReturnType<typeof analyse>;

/** Everything that reports print, from what was measured. */
export function analyse(result: Result) {
  const { proofs, pairs, startUps, idles, ...header } = result;
  const { tasks: sent, sweep } = header.suite;
  const tasks = sent.map((task) => analyseTask(result, task));
  const planned =
    sent.reduce((count, { scenarios }) => count + scenarios.length, 0) * header.configuration.pairs;
  const measured = { header, pairs: { measured: pairs.length, planned }, tasks };
  return { ...measured, curves: curvesOf(sweep, tasks), warnings: warningsOf(measured) };
}
