import { listed } from '../../words/text.ts';
import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** Files by which the environment lets baselines load code, such as instrumentation. */
export function findPreloading({ header }: MeasuredRun): Finding[] {
  const files = header.environment.variables.preloading;
  if (files.length === 0) return [];
  const seen = `${listed(files)} makes the baseline load code before its own, too`;
  const remedy = 'Load what is measured by the command of its scenario';
  return [finding(`Costs may read too low: ${seen}`, remedy)];
}
