import type { ExportMode, Result } from '../result/schema.ts';
import { curvesOf } from './curves.ts';
import { type Estimate, halfWidth } from './estimate.ts';
import { rowsOf, scenarioOf, tasksOf } from './rows.ts';
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

/**
 * How many pairs each scenario needs for intervals of CPU per request of ± the precision that was asked for: those that
 * were planned, or more. Decided once, from the pairs so far (two stages: C. Stein, Annals of Mathematical Statistics 16,
 * 1945, 243-258): whoever looks after every pair often stops at an interval that is narrow by chance.
 */
export function pairsNeeded(result: Result): number {
  const { precision, pairs } = result.configuration;
  if (!precision) return pairs;
  const needed = tasksOf(result).flatMap((task) => {
    const unitUs = precision.unit === 'us' ? 1 : (task.baseline.figures?.cpuUs ?? Number.NaN) / 100;
    const costs = rowsOf(task).flatMap(({ change }) => change.cpuUs?.estimate ?? []);
    return costs.map((cost) => pairsForWidth(cost, precision.value * unitUs));
  });
  return Math.max(pairs, ...needed);
}

/** Stein's (t s / d)² for a half-width d, as that of the first stage is t s / √n. A single pair, or no width, can't tell. */
export function pairsForWidth(first: Estimate, width: number): number {
  return first.n > 1 && width > 0 ? Math.ceil(first.n * (halfWidth(first) / width) ** 2) : 0;
}
