import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A load tool that shares cores with the server. */
export function findUnpinned({ header: { pinning } }: MeasuredRun): Finding[] {
  if (!('missing' in pinning)) return [];
  const seen = `it shares cores with the server (${pinning.missing})`;
  const text = `Figures hold the disturbance by the load tool, too: ${seen}`;
  return [finding(text, 'Measure on Linux with two cores or more')];
}
