import type { Run } from '../../analysis/analysis.ts';
import { fullSections, viewOf } from '../view.ts';
import { asBenchmarkEntries } from './github-action-benchmark.ts';
import { asJson } from './json.ts';
import { asMarkdown } from './markdown.ts';

/**
 * Every text format, by what `--format` calls it. To add one: a file beside this one, and an entry.
 */
export const FORMATS = {
  /**
   * What to paste into documentation: a table, a line of how, the suite's remarks, and two warnings
   * at most.
   */
  docs: (run: Run) => asMarkdown([viewOf(run).brief]),
  full: (run: Run) => asMarkdown(fullSections(viewOf(run))),
  json: (run: Run) => asJson(run),
  'github-action-benchmark': asBenchmarkEntries,
} satisfies Record<string, (run: Run) => string>;

export type Format = keyof typeof FORMATS;
