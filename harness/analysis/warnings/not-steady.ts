import { counted, listed } from '../../words/text.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding, validRows } from './finding.ts';
import { moveText } from './grows.ts';

/** With more of the pairs not steady than this, their figures are in doubt. */
const UNSTEADY_SHARE = 0.25;
/** So many rows are named whose cost falls: nobody reads more in a sentence. */
const MOST_FALLS = 2;

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

/** Says which costs fall, and what makes costs do so; of many, the first of them. */
function fallTexts(rows: Row[]): string[] {
  const falls = rows.flatMap(({ label, growth }) =>
    growth?.direction === 'falls' ? [`${label} (${moveText(growth)})`] : [],
  );
  if (falls.length === 0) return [];
  const rest = falls.length - MOST_FALLS;
  const others = rest > 0 ? [counted(rest, 'other row')] : [];
  const named = listed([...falls.slice(0, MOST_FALLS), ...others]);
  return [`still falling, as code is compiled or a cache fills: ${named}`];
}
