import type { Cell, Table } from '../cells.ts';

/** A column of a table in a terminal. */
export interface LaidOutColumn {
  heading: string;
  cells: Cell[];
  side: 'left' | 'right';
  /** How many characters wide it is; longer texts are wrapped. */
  width: number;
}

/** How a table fits a width. */
export interface Layout {
  /** Columns that stand beside each other; what follows the first goes on below it. */
  blocks: LaidOutColumn[][];
  /** Headings of columns for which there is no room. */
  leftOut: string[];
}

/** So many spaces stand between two columns. */
export const GAP = 2;
/** A name may be wrapped at this width, or at its longest word, to make room for figures. */
const LEAST_NAME_WIDTH = 20;
/** In a narrow terminal, names are wrapped down to this width, so that one column of figures fits. */
const LEAST_WIDTH_OF_ALL = 6;
/** A heading of a few words stays on a line or two. */
const USUAL_HEADING_WIDTH = 10;
/** What is longer, such as a reason, is wrapped. */
const MOST_FIGURE_WIDTH = 30;

/**
 * Returns how a table fits so many characters. If some of its columns are essential, others go
 * until the rest fits. What does not fit then goes on below, beside the same names.
 */
export function layOut(table: Table, columns: number): Layout {
  const names = nameColumns(table);
  const figures = figureColumns(table);
  const least = leastNameWidth(columns, names, figures);
  const narrowest = names.map((column) => ({ ...column, width: Math.min(column.width, least) }));
  const room = columns - totalWidth(narrowest);
  const hasEssential = table.figures.some(({ isEssential }) => isEssential);
  const { blocks, leftOut } = hasEssential ? withoutOthers(figures, room) : inBlocks(figures, room);
  return {
    blocks: blocks.map((block) => {
      const nameRoom = columns - totalWidth(block) - GAP;
      return [...fitted(names, nameRoom, least), ...block];
    }),
    leftOut: leftOut.map(({ heading }) => heading),
  };
}

/**
 * Returns the width down to which names are wrapped: between their words, if the widest figure then
 * fits beside them.
 */
function leastNameWidth(columns: number, names: LaidOutColumn[], figures: Figures[]): number {
  const widestFigure = Math.max(0, ...figures.map(({ width }) => width));
  const share = Math.floor((columns - widestFigure) / Math.max(1, names.length)) - GAP;
  const longestWord = widest(names.flatMap(wordsIn));
  // A word that has no room is torn, wherever.
  const wanted = longestWord <= share ? Math.max(LEAST_NAME_WIDTH, longestWord) : LEAST_NAME_WIDTH;
  return Math.max(LEAST_WIDTH_OF_ALL, Math.min(wanted, share));
}

function wordsIn({ heading, cells }: LaidOutColumn): string[] {
  return [heading, ...cells.map(({ text }) => text)].flatMap((text) => text.split(' '));
}

interface FigureLayout {
  blocks: LaidOutColumn[][];
  leftOut: LaidOutColumn[];
}

interface Figures extends LaidOutColumn {
  isEssential: boolean;
}

function nameColumns({ names, rows }: Table): LaidOutColumn[] {
  return names.map((heading, at) => {
    const cells = rows.map((row) => row[at] as Cell);
    const width = widest([heading, ...cells.map(({ text }) => text)]);
    return { heading, cells, side: 'left', width };
  });
}

/** The heading of a column is wrapped if its figures are narrower. */
function figureColumns({ names, figures, rows }: Table): Figures[] {
  return figures.map(({ heading, isEssential }, at) => {
    const cells = rows.map((row) => row[names.length + at] as Cell);
    const textWidth = Math.min(widest(cells.map(({ text }) => text)), MOST_FIGURE_WIDTH);
    const usualWidth = Math.min(widest([heading]), USUAL_HEADING_WIDTH);
    const width = Math.max(textWidth, usualWidth, widest(heading.split(' ')));
    return { heading, cells, side: 'right', width, isEssential };
  });
}

/**
 * Leaves out the last column that is not essential, until the rest fits. If all that is left is
 * essential, it goes on below.
 */
function withoutOthers(figures: Figures[], room: number): FigureLayout {
  const kept = [...figures];
  const leftOut: Figures[] = [];
  while (totalWidth(kept) + GAP > room) {
    const at = kept.findLastIndex(({ isEssential }) => !isEssential);
    if (at < 0) break;
    leftOut.unshift(...kept.splice(at, 1));
  }
  return { ...inBlocks(kept, room), leftOut };
}

/** Begins a new block where the next column has no room. */
function inBlocks(figures: Figures[], room: number): FigureLayout {
  const blocks: Figures[][] = [];
  for (const column of figures) {
    const last = blocks.at(-1);
    const fits = last !== undefined && totalWidth([...last, column]) + GAP <= room;
    if (fits) last.push(column);
    else blocks.push([column]);
  }
  return { blocks, leftOut: [] };
}

/** Returns the names with what there is room for: the widest column gives way first. */
function fitted(names: LaidOutColumn[], room: number, least: number): LaidOutColumn[] {
  const widths = names.map(({ width }) => width);
  for (let excess = totalWidth(names) - room; excess > 0; excess--) {
    const spare = widths.map((width) => (width > least ? width : 0));
    const at = spare.indexOf(Math.max(...spare));
    if (spare[at] === 0) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return names.map((column, at) => ({ ...column, width: widths[at] ?? column.width }));
}

/** Returns how wide columns are beside each other. */
export function totalWidth(columns: readonly LaidOutColumn[]): number {
  const widths = columns.reduce((sum, { width }) => sum + width, 0);
  return widths + GAP * Math.max(0, columns.length - 1);
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => Bun.stringWidth(text)));
}
