import { styleText } from 'node:util';
import type { Screen } from '../../words/screen.ts';
import { printable } from '../../words/text.ts';
import type { Cell, Section, Table, Tone } from '../cells.ts';
import { GAP, type LaidOutColumn, layOut, totalWidth } from './terminal-layout.ts';

/** Text is easier to read in lines that are no longer. */
const MOST_TEXT_COLUMNS = 100;

type Style = Parameters<typeof styleText>[0];

/** Colours stand only where they say something. */
const STYLES: Record<Tone, Style | null> = {
  plain: null,
  insignificant: 'dim',
  unclear: 'dim',
  better: 'green',
  worse: 'red',
  invalid: 'red',
  marked: 'yellow',
};

/**
 * Returns the sections as text that fits the screen, without what is empty.
 * @param answer the last lines, which say in words what was found; those that are empty are left
 * out
 */
export function asTerminal(
  sections: readonly Section[],
  answer: readonly string[],
  screen: Screen,
): string {
  const blocks = sections.flatMap((section) => sectionBlocks(section, screen));
  const lines = answer.filter((text) => text !== '').map((text) => wrapped(text, screen));
  const last = lines.length > 0 ? [paint('bold', lines.join('\n'), screen)] : [];
  return [...blocks, ...last].join('\n\n');
}

function sectionBlocks(section: Section, screen: Screen): string[] {
  const { heading, tables = [], paragraphs = [], list = [], warnings = [] } = section;
  const items = [
    ...list.map((item) => listItem(item, screen)),
    ...warnings.map((warning) => paint('yellow', listItem(warning, screen), screen)),
  ];
  const blocks = [
    ...tables.filter(({ figures }) => figures.length > 0).map((table) => tableBlock(table, screen)),
    ...paragraphs.map((paragraph) => wrapped(paragraph, screen)),
    items.join('\n'),
  ].filter((block) => block !== '');
  if (heading === undefined || blocks.length === 0) return blocks;
  return [paint('bold', wrapped(heading, screen), screen), ...blocks];
}

function listItem(text: string, screen: Screen): string {
  const [mark, indent] = ['- ', '  '];
  return mark + wrapped(text, screen, indent.length).replaceAll('\n', `\n${indent}`);
}

/** Returns the text in lines that break between words. */
function wrapped(text: string, { columns }: Screen, indentWidth = 0): string {
  const width = Math.min(columns, MOST_TEXT_COLUMNS) - indentWidth;
  return linesIn(onOneLine(text), Math.max(1, width)).join('\n');
}

function tableBlock(table: Table, screen: Screen): string {
  const { blocks, leftOut } = layOut(withoutRepeatedTasks(shownTable(table)), screen.columns);
  const drawn = blocks.map((block) => drawBlock(block, screen));
  const note =
    `Not shown in ${screen.columns} columns: ${leftOut.join(', ')}. ` +
    'A wider terminal, or --format docs, shows all.';
  return [...drawn, ...(leftOut.length > 0 ? [wrapped(note, screen)] : [])].join('\n\n');
}

/** Returns the table without what a terminal would obey. */
function shownTable({ names, figures, rows }: Table): Table {
  return {
    names: names.map(onOneLine),
    figures: figures.map((column) => ({ ...column, heading: onOneLine(column.heading) })),
    rows: rows.map((row) => row.map(({ text, tone }) => ({ text: onOneLine(text), tone }))),
  };
}

function onOneLine(text: string): string {
  return printable(text.replace(/\s+/g, ' '));
}

/** Returns the table with each task named once, where its first row is. */
function withoutRepeatedTasks(table: Table): Table {
  if (table.names.length < 2) return table;
  const rows = table.rows.map((row, at) => {
    const [task, ...others] = row as [Cell, ...Cell[]];
    const isRepeated = table.rows[at - 1]?.[0]?.text === task.text;
    return isRepeated ? [{ ...task, text: '' }, ...others] : row;
  });
  return { ...table, rows };
}

function drawBlock(columns: readonly LaidOutColumn[], screen: Screen): string {
  const headings = columns.map(({ heading, width }) => linesIn(heading, width));
  const height = Math.max(...headings.map((lines) => lines.length));
  // A heading stands directly above its figures.
  const headingLines = headings.map((lines) => [
    ...Array<string>(height - lines.length).fill(''),
    ...lines,
  ]);
  const [first] = columns;
  const rows = (first?.cells ?? []).flatMap((_, row) => drawRow(columns, row, screen));
  const rule = '─'.repeat(totalWidth(columns));
  return [...beside(columns, headingLines, height), rule, ...rows].join('\n');
}

function drawRow(columns: readonly LaidOutColumn[], row: number, screen: Screen): string[] {
  const cells = columns.map(({ cells }) => cells[row] as Cell);
  const lines = columns.map(({ width }, at) => linesIn(cells[at]?.text ?? '', width));
  const height = Math.max(...lines.map(({ length }) => length));
  const painted = lines.map((each, at) => {
    const style = STYLES[cells[at]?.tone ?? 'plain'];
    return each.map((line) => paint(style, line, screen));
  });
  return beside(columns, painted, height);
}

/** Returns the lines of a row: those of each column beside those of the others. */
function beside(
  columns: readonly LaidOutColumn[],
  lines: readonly string[][],
  height: number,
): string[] {
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, at) => aligned(lines[at]?.[line] ?? '', column))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

function aligned(text: string, { width, side }: LaidOutColumn): string {
  const blanks = ' '.repeat(Math.max(0, width - Bun.stringWidth(text)));
  return side === 'left' ? text + blanks : blanks + text;
}

/** Between the parts of a figure: `+2.0 ±0.1 µs` is not to be torn. */
const SPACE_IN_FIGURE = /(?<=\d) (?=±|%|(?:µs|ms|s|x|KiB|MiB)(?!\w))/g;
const NO_BREAK_SPACE = '\u00a0';

/** Returns the lines of a text that is wrapped between words; only what is longer is torn. */
function linesIn(text: string, width: number): string[] {
  const untorn = text.replace(SPACE_IN_FIGURE, NO_BREAK_SPACE);
  const wrappedText = Bun.wrapAnsi(untorn, width, { hard: true });
  return wrappedText.replaceAll(NO_BREAK_SPACE, ' ').split('\n');
}

/** Returns the text in a style, line by line: what is beside a line keeps its own. */
function paint(style: Style | null, text: string, { hasColors }: Screen): string {
  if (style === null || !hasColors) return text;
  const lines = text.split('\n');
  return lines
    .map((line) => (line === '' ? line : styleText(style, line, { validateStream: false })))
    .join('\n');
}
