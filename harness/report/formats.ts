import { markdownTable } from 'markdown-table';
import type { Run } from '../analysis/analysis.ts';
import { halfWidth } from '../analysis/estimate.ts';
import { counted, escapeMarkdown, printable, printableJson } from '../words/text.ts';
import { CHANGE_UNITS, cellText, type Section, type Table } from './cells.ts';
import { COST_NAMES, COSTS } from './form.ts';
import { type View, viewOf } from './view.ts';

/** The text of each format, fit for a terminal. */
export const RENDERERS = {
  // What to paste into documentation: one table, one line of how, what the suite says, and two warnings at most.
  docs: (run: Run) => {
    const view = viewOf(run);
    return asMarkdown([view.opening, { list: [...view.remarks, ...firstWarnings(view, 'with --format full')] }]);
  },
  full: (run: Run) => {
    const { opening, remarks, details } = viewOf(run);
    return asMarkdown([opening, { list: remarks }, ...details]);
  },
  json: (run: Run) => asJson({ ...run, tasks: run.tasks.map(withoutPairs) }),
  'github-action-benchmark': (run: Run) => asJson(benchmarkEntries(run)),
};
export type Format = keyof typeof RENDERERS;

/** Those that matter most, and where there are more. */
export function firstWarnings({ warnings }: Pick<View, 'warnings'>, where: string): string[] {
  const more = warnings.length > 2 ? ` ${counted(warnings.length - 2, 'more warning')} ${where}.` : '';
  return warnings.slice(0, 2).map((warning, index) => (index === 1 ? warning + more : warning));
}

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
  const cells = [[...names, ...figures], ...rows].map((row) => row.map((cell) => escapeMarkdown(cellText(cell))));
  return markdownTable(cells, { align: [...names.map(() => 'l'), ...figures.map(() => 'r')] });
}

/** The result file has the pairs; here it is told how many there are. */
function withoutPairs({ rows, noiseFloor, ...task }: Run['tasks'][number]) {
  const counted = ({ pairs, ...row }: (typeof rows)[number]) => ({ ...row, pairs: pairs.length });
  return { ...task, rows: rows.map(counted), noiseFloor: noiseFloor && counted(noiseFloor) };
}

/** The changes in ms and in µs, as that action reads them by the name of `customSmallerIsBetter`. */
function benchmarkEntries(run: Run) {
  const extra = viewOf(run).opening.paragraphs?.join(' ');
  return COSTS.flatMap((quantity) => {
    const { unit, factor } = CHANGE_UNITS[quantity];
    const rows = run.tasks.flatMap((task) => task.rows);
    return rows.flatMap(({ label, change }) => {
      const estimate = change[quantity]?.estimate;
      if (!estimate) return [];
      const range = halfWidth(estimate) * factor;
      return {
        name: `${label}, ${COST_NAMES[quantity]}`,
        unit,
        value: estimate.value * factor,
        ...(Number.isFinite(range) && { range: `± ${Number(range.toPrecision(2))}` }),
        extra,
      };
    });
  });
}

/** Infinite numbers become null. */
export function asJson(value: unknown): string {
  return printableJson(JSON.stringify(value, null, 2));
}
