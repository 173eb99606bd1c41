import { markdownTable } from 'markdown-table';
import type { Result } from '../../harness/result/schema.ts';
import { heldTo, heldToText } from './held-to.ts';
import { publishedRows, rowsOfAll } from './published.ts';
import { WIDTH_HEADINGS, widthCells } from './widths.ts';

/**
 * Returns how wide intervals of published rows are: one line for each result, one for all, and what
 * the project is held to below them.
 */
export function publishedTable(results: ReadonlyMap<string, Result>): string {
  const each = [...results].map(([name, result]) =>
    widthCells(name, publishedRows(result, 'cpuUs')),
  );
  const rows = rowsOfAll(results, 'cpuUs');
  const all = widthCells('**all**', rows);
  const table = markdownTable([WIDTH_HEADINGS, ...each.filter(([, count]) => count !== '0'), all]);
  return `${table}\n\n${heldToText(heldTo(rows))}`;
}
