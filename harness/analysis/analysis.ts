import type { Result } from '../result/schema.ts';
import { analyseTask, plannedPairs, scenarioOf } from './task.ts';
import { verdictsOf } from './verdicts.ts';

/** Everything that reports print. Computed once from a result. */
export type Analysis = ReturnType<typeof analyse>;

/** Everything that reports print, from what was measured. */
export function analyse(result: Result) {
  const { schemaVersion, kind, suite, proofs, pairs, ...run } = result;
  const tasks = suite.tasks.map((task) => analyseTask(result, task));
  return {
    suite: { name: suite.name, title: suite.title, skipped: suite.skipped },
    run: { ...run, pairs: { measured: pairs.length, planned: plannedPairs(result) } },
    tasks,
    proofs: proofs.map((proof) => ({
      ...proof,
      title: scenarioOf(result, proof.scenario).title,
      metrics: [...new Set(proof.metrics.map(({ name }) => name))],
    })),
    /** Those that matter most first. */
    verdicts: verdictsOf(result, tasks),
  };
}
