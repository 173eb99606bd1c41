import type { ExportMode, Result } from '../result/schema.ts';
import { curvesOf } from './curves.ts';
import { scenarioOf, tasksOf } from './rows.ts';
import { warningsOf } from './warnings.ts';

/** A result as rows that own their pairs, with all that follows from them. */
export type Run = ReturnType<typeof analyse>;

/** Everything that reports print, from what was measured. */
export function analyse(result: Result) {
  const { schemaVersion, kind, proofs, pairs, startUps, idles, ...header } = result;
  const { suite, configuration } = header;
  const tasks = tasksOf(result);
  const planned = suite.tasks.reduce((count, { scenarios }) => count + scenarios.length * configuration.pairs, 0);
  const measured = { header, pairs: { measured: pairs.length, planned }, tasks };
  return {
    ...measured,
    curves: curvesOf(suite.sweep, tasks),
    proofs: proofs.map((proof) => {
      const { title, export: exportMode } = scenarioOf(result, proof.scenario);
      return { ...proof, title, export: exportMode };
    }),
    /** Those that matter most first. */
    warnings: warningsOf(measured),
  };
}

/** Export modes of recording scenarios, without duplicates. */
export function exportModes({ proofs }: Pick<Run, 'proofs'>): ExportMode[] {
  const recording = proofs.filter(({ spans, metrics }) => spans > 0 || metrics.length > 0);
  return [...new Set(recording.map((proof) => proof.export))];
}
