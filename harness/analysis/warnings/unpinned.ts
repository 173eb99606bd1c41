import type { UnpinnedReason } from '../../result/schema.ts';
import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** A load tool that shares cores with the server. */
export function findUnpinned({ header: { pinning } }: MeasuredRun): Finding[] {
  if (!('missing' in pinning)) return [];
  const seen = `it shares cores with the server (${pinning.missing})`;
  return [finding(`The load tool disturbs the figures: ${seen}`, pinningRemedy(pinning))];
}

const PINNING_REMEDIES: Record<NonNullable<UnpinnedReason>, string> = {
  'switched-off': 'Measure without --no-pin',
  'not-installed': 'Measure on Linux, with util-linux installed',
  'one-core': 'Measure on Linux with two cores or more',
  cpuset: 'Let the container use two cores or more (docker run --cpuset-cpus, or taskset)',
};

/** Returns what makes it possible to give server and load tool cores of their own. */
export function pinningRemedy({ reason = 'one-core' }: { reason?: UnpinnedReason }): string {
  return PINNING_REMEDIES[reason];
}
