import { markdownTable } from 'markdown-table';
import type { Run } from '../analysis/analysis.ts';
import { Problem } from '../words/errors.ts';
import { counted, escapeMarkdown, printable } from '../words/text.ts';
import type { Section, Table } from './cells.ts';
import { viewOf } from './view.ts';

/** The text of each format, fit for a terminal. */
export const RENDERERS = {
  // What to paste into documentation: one table, one line of how, what the suite says, and two warnings at most.
  docs: (run: Run) => asMarkdown([viewOf(run).brief]),
  full: (run: Run) => asMarkdown(viewOf(run).full),
  json: asJson,
  'github-action-benchmark': (run: Run) => asJson(benchmarkEntries(run)),
};
export type Format = keyof typeof RENDERERS;

/** In Markdown, fit for a terminal, without what is empty. */
export function asMarkdown(sections: Section[]): string {
  const paragraphs = sections.flatMap(({ heading, tables = [], paragraphs = [], list = [] }) => {
    const items = list.map((item) => `- ${escapeMarkdown(item)}`).join('\n');
    const measured = tables.filter(({ figures }) => figures.length > 0);
    const content = [...measured.map(tableOf), ...paragraphs.map(escapeMarkdown), items].filter(
      Boolean,
    );
    return heading && content.length > 0 ? [`### ${heading}`, ...content] : content;
  });
  return printable(paragraphs.join('\n\n'));
}

function tableOf({ names, figures, rows }: Table): string {
  const cells = [[...names, ...figures], ...rows].map((row) => row.map(escapeMarkdown));
  return markdownTable(cells, { align: [...names.map(() => 'l'), ...figures.map(() => 'r')] });
}

/**
 * What a request takes of each server, as that action reads it by the name of `customSmallerIsBetter`: it divides a figure
 * by that of the commit before. Names are those of the suite: a title may tell a commit or a version.
 */
function benchmarkEntries({ header, tasks, pairs }: Run) {
  const { suite, tool, environment } = header;
  const extra = `${counted(pairs.measured, 'pair')}, ${tool.name} ${tool.version}, ${environment.cpu}`;
  return tasks.flatMap(({ name, baseline, rows }) =>
    [baseline, ...rows].flatMap(({ scenario, figures }) => {
      const of = `${suite.name}/${name}/${scenario}`;
      const { cpuUs, latencyUs } = { ...figures };
      return [
        ...(cpuUs
          ? [{ name: `${of}, server CPU per request`, unit: 'µs', value: cpuUs, extra }]
          : []),
        ...(latencyUs
          ? [{ name: `${of}, mean latency`, unit: 'ms', value: latencyUs / 1e3, extra }]
          : []),
      ];
    }),
  );
}

/** Infinite numbers become null. The result file has the pairs; here it is told how many there are. */
export function asJson(value: unknown): string {
  const counted = (name: string, each: unknown) =>
    name === 'pairs' && Array.isArray(each) ? each.length : each;
  return printable(JSON.stringify(value, counted, 2));
}

const END = '<!-- /bench -->';

/**
 * The document with all its blocks of that name replaced, the rest byte for byte as it was.
 * @throws Problem if there is no such block, or one that does not end.
 */
export function replaceBlocks(document: string, name: string, content: string): string {
  const start = `<!-- bench:${name} -->`;
  const remedy = `Put ${start} and ${END} around the place for the table`;
  if (!document.includes(start)) throw new Problem(`There is no block "${name}" to update`, remedy);
  const newline = document.includes('\r\n') ? '\r\n' : '\n';
  const block = [start, '', ...content.split('\n'), '', END].join(newline);
  const blocks = new RegExp(`${RegExp.escape(start)}.*?(${END}|<!-- bench:|$)`, 'gs');
  return document.replace(blocks, (_, end) => {
    if (end !== END) throw new Problem(`A block "${name}" has no end`, `Close it with ${END}`);
    return block;
  });
}
