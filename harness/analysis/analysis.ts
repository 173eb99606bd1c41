import type { Result } from '../result/schema.ts';
import { curvesOf } from './curves.ts';
import { analyseTask, isOfRevisions, scenarioOf, type TaskAnalysis } from './rows.ts';
import { warningsOf } from './warnings.ts';

/** A result as rows that own their pairs, with all that follows from them. */
export type Run = ReturnType<typeof analyse>;

/** Everything that reports print, from what was measured. */
export function analyse(result: Result) {
  const { schemaVersion, kind, proofs, pairs, startUps, idles, ...header } = result;
  const { suite, configuration } = header;
  const tasks = suite.tasks.map((task) => analyseTask(result, task));
  const planned = suite.tasks.reduce((count, { scenarios }) => count + scenarios.length * configuration.pairs, 0);
  const measured = { header, pairs: { measured: pairs.length, planned }, tasks };
  return {
    ...measured,
    curves: curvesOf(suite.sweep, tasks),
    proofs: proofs.map((proof) => {
      const { title, export: exportMode } = scenarioOf(result, proof.scenario);
      // The scenarios of two revisions have the same titles in all tasks.
      const isIn = ({ baseline, rows }: TaskAnalysis) =>
        [baseline.name, ...rows.map(({ scenario }) => scenario)].includes(proof.scenario);
      const prefix = isOfRevisions(suite) ? tasks.find(isIn)?.prefix : '';
      return { ...proof, title: `${prefix ?? ''}${title}`, export: exportMode };
    }),
    warnings: warningsOf(measured),
  };
}
