import { counted } from '../../words/text.ts';
import type { MeasuredRun } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';

/** With more of the pairs not steady than this, their figures are in doubt. */
const UNSTEADY_SHARE = 0.25;

/**
 * Servers that were still warming up when they were measured. Of a quick run, another warning says
 * so.
 */
export function findNotSteady({ tasks, header }: MeasuredRun): Finding[] {
  const pairs = validRows(tasks).flatMap((row) => row.pairs);
  const count = pairs.filter(({ isSteady }) => !isSteady).length;
  if (header.configuration.isQuick || count <= UNSTEADY_SHARE * pairs.length) return [];
  const places = `in ${count} of ${counted(pairs.length, 'pair')}`;
  const seen = `${places} a server was not steady when the warm-up ended`;
  return [finding(`Costs may read too high: ${seen}`, 'Allow a longer warm-up (--warmup)')];
}

/** A run with --quick. */
export function findQuick({ header }: MeasuredRun): Finding[] {
  if (!header.configuration.isQuick) return [];
  const seen = 'the warm-up of a quick run is short, so costs may read too high';
  return [finding(`Not for publishing: ${seen}`, 'Measure without --quick')];
}
