import { counted, listed } from '../../words/text.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';
import { moveText } from './grows.ts';

/** With more of the pairs not steady than this, their figures are in doubt. */
const UNSTEADY_SHARE = 0.25;

/**
 * Servers that were still warming up when they were measured. Of a quick run, another warning says
 * so, and also of a cost that grows: a longer warm-up would make it larger.
 */
export function findNotSteady({ tasks, header }: MeasuredRun): Finding[] {
  const rows = validRows(tasks).filter(({ growth }) => growth?.direction !== 'grows');
  const seen = header.configuration.isQuick ? [] : [...unsteadyTexts(rows), ...fallTexts(rows)];
  if (seen.length === 0) return [];
  const text = `Costs may read too high: ${seen.join('; ')}`;
  return [finding(text, 'Allow a longer warm-up (--warmup)')];
}

function unsteadyTexts(rows: Row[]): string[] {
  const pairs = rows.flatMap((row) => row.pairs);
  const count = pairs.filter(({ isSteady }) => !isSteady).length;
  if (count <= UNSTEADY_SHARE * pairs.length) return [];
  const places = `in ${count} of ${counted(pairs.length, 'pair')}`;
  return [`${places} a server was not steady when the warm-up ended`];
}

/** Says which costs fall, and what makes costs do so. */
function fallTexts(rows: Row[]): string[] {
  const falls = rows.flatMap(({ label, growth }) =>
    growth?.direction === 'falls' ? [`${label} (${moveText(growth)})`] : [],
  );
  return falls.length > 0 ? [`as by a compiler or a cache, still falling: ${listed(falls)}`] : [];
}
