import { markdownTable } from 'markdown-table';
import type { Analysis } from '../analysis/analysis.ts';
import { halfWidth } from '../analysis/estimate.ts';
import { escapeMarkdown, printable, printableJson } from '../words/text.ts';
import { CHANGE_UNITS } from '../words/units.ts';
import { howMeasured, remarks } from './notes.ts';
import { details, opening, type Section } from './sections.ts';
import { COST_NAMES, COSTS, type Table } from './tables.ts';

/** The text of each format, fit for a terminal. */
export const RENDERERS = {
  // What to paste into documentation: one table, one line of how, and two lines of remarks at most.
  docs: (analysis: Analysis) => asMarkdown([opening(analysis), { list: remarks(analysis, 'with --format full') }]),
  full: (analysis: Analysis) => asMarkdown([opening(analysis), ...details(analysis)]),
  json: asJson,
  'github-action-benchmark': (analysis: Analysis) => asJson(benchmarkEntries(analysis)),
};

/** In Markdown, fit for a terminal, without what is empty. */
export function asMarkdown(sections: Section[]): string {
  const paragraphs = sections.flatMap(({ heading, tables = [], paragraphs = [], list = [] }) => {
    const items = list.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
    const content = [...tables.map(tableOf), ...paragraphs.map(escapeMarkdown), items].filter(Boolean);
    return heading && content.length > 0 ? [`### ${heading}`, ...content] : content;
  });
  return printable(paragraphs.join('\n\n'));
}

function tableOf({ names, figures, rows }: Table): string {
  const cells = [[...names, ...figures], ...rows].map((row) => row.map(escapeMarkdown));
  return markdownTable(cells, { align: [...names.map(() => 'l'), ...figures.map(() => 'r')] });
}

/** The changes in ms and in µs, as that action reads them by the name of `customSmallerIsBetter`. */
function benchmarkEntries(analysis: Analysis) {
  return COSTS.flatMap((quantity) => {
    const { unit, factor } = CHANGE_UNITS[quantity];
    const rows = analysis.tasks.flatMap((task) => task.rows);
    return rows.flatMap(({ label, change }) => {
      const estimate = change[quantity]?.estimate;
      if (!estimate) return [];
      const range = halfWidth(estimate) * factor;
      return {
        name: `${label}, ${COST_NAMES[quantity]}`,
        unit,
        value: estimate.value * factor,
        ...(Number.isFinite(range) && { range: `± ${Number(range.toPrecision(2))}` }),
        extra: howMeasured(analysis).join(' '),
      };
    });
  });
}

/** Infinite numbers become null. */
export function asJson(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}
