import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A run with --quick. */
export function findQuick({ header }: MeasuredRun): Finding[] {
  if (!header.configuration.isQuick) return [];
  const seen = 'the warm-up of a quick run is short, so costs may read too high';
  return [finding(`Not for publishing: ${seen}`, 'Measure without --quick')];
}
