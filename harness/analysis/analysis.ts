import type { ExportMode, Result } from '../result/schema.ts';
import { curvesOf } from './curves.ts';
import { analyseTask, plannedPairs, scenarioOf } from './task.ts';
import { verdictsOf } from './verdicts.ts';

export type Analysis = ReturnType<typeof analyse>;

/** Everything that reports print, from what was measured. */
export function analyse(result: Result) {
  const { schemaVersion, kind, suite, proofs, pairs, ...run } = result;
  const tasks = suite.tasks.map((task) => analyseTask(result, task));
  return {
    suite: { name: suite.name, title: suite.title, skipped: suite.skipped, remarks: suite.remarks },
    run: { ...run, pairs: { measured: pairs.length, planned: plannedPairs(result) } },
    tasks,
    curves: curvesOf(result, tasks),
    proofs: proofs.map((proof) => {
      const scenario = scenarioOf(result, proof.scenario);
      const metrics = [...new Set(proof.metrics.map(({ name }) => name))];
      return { ...proof, title: scenario.title, export: scenario.export, metrics };
    }),
    /** Those that matter most first. */
    verdicts: verdictsOf(result, tasks),
  };
}

/** What became of that which the scenarios recorded while they were measured: each way once. */
export function exportModes({ proofs }: Pick<Analysis, 'proofs'>): ExportMode[] {
  const recording = proofs.filter(({ spans, metrics }) => spans > 0 || metrics.length > 0);
  return [...new Set(recording.map((proof) => proof.export))];
}
