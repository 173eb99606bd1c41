import { markdownTable } from 'markdown-table';
import type { Result } from '../../harness/result/schema.ts';
import { publishedRows, rowsOfAll } from './published.ts';
import { WIDTH_HEADINGS, widthCells } from './widths.ts';

/** Returns how wide intervals of published rows are: one line for each result, and one for all. */
export function publishedTable(results: ReadonlyMap<string, Result>): string {
  const each = [...results].map(([name, result]) =>
    widthCells(name, publishedRows(result, 'cpuUs')),
  );
  const all = widthCells('**all**', rowsOfAll(results, 'cpuUs'));
  return markdownTable([WIDTH_HEADINGS, ...each.filter(([, count]) => count !== '0'), all]);
}
