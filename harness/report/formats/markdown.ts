import { markdownTable } from 'markdown-table';
import { escapeMarkdown, printable } from '../../words/text.ts';
import type { Section, Table } from '../cells.ts';

/** Returns the sections as Markdown, fit for a terminal, without what is empty. */
export function asMarkdown(sections: readonly Section[]): string {
  return printable(sections.flatMap(sectionBlocks).join('\n\n'));
}

function sectionBlocks({ heading, tables = [], paragraphs = [], list = [] }: Section): string[] {
  const blocks = [
    ...tables.filter(({ figures }) => figures.length > 0).map(tableBlock),
    ...paragraphs.map(escapeMarkdown),
    list.map((item) => `- ${escapeMarkdown(item)}`).join('\n'),
  ].filter((block) => block !== '');
  return heading && blocks.length > 0 ? [`### ${heading}`, ...blocks] : blocks;
}

function tableBlock({ names, figures, rows }: Table): string {
  const cells = [[...names, ...figures], ...rows].map((row) => row.map(escapeMarkdown));
  const align = [...names.map(() => 'l'), ...figures.map(() => 'r')];
  return markdownTable(cells, { align });
}
