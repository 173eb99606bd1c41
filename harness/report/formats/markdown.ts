import { markdownTable } from 'markdown-table';
import { escapeMarkdown, printable } from '../../words/text.ts';
import type { Section, Table } from '../cells.ts';

/** Returns the sections as Markdown, fit for a terminal, without what is empty. */
export function asMarkdown(sections: readonly Section[]): string {
  return printable(sections.flatMap(sectionBlocks).join('\n\n'));
}

function sectionBlocks(section: Section): string[] {
  const { heading, tables = [], paragraphs = [], list = [], warnings = [] } = section;
  const blocks = [
    ...tables.filter(({ figures }) => figures.length > 0).map(tableBlock),
    ...paragraphs.map(escapeMarkdown),
    [...list, ...warnings].map((item) => `- ${escapeMarkdown(item)}`).join('\n'),
  ].filter((block) => block !== '');
  return heading && blocks.length > 0 ? [`### ${heading}`, ...blocks] : blocks;
}

function tableBlock({ names, figures, rows }: Table): string {
  const headings = [...names, ...figures.map(({ heading }) => heading)];
  const texts = rows.map((row) => row.map(({ text }) => text));
  const cells = [headings, ...texts].map((row) => row.map(escapeMarkdown));
  const align = [...names.map(() => 'l'), ...figures.map(() => 'r')];
  return markdownTable(cells, { align });
}
