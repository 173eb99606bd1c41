import { expect, test } from 'bun:test';
import { plain, type Table } from '../cells.ts';
import { layOut, totalWidth } from './terminal-layout.ts';

/** A table of names of 30 characters, and columns of 20; those in capitals are essential. */
function tableOf(...headings: string[]): Table {
  return {
    names: ['Name'],
    figures: headings.map((heading) => ({ heading, isEssential: /^[A-Z]/.test(heading) })),
    rows: [[plain('a name of several words, of 30'), ...headings.map(() => plain('x'.repeat(20)))]],
  };
}

/** The headings of each block, without that of the names. */
function blocksIn(table: Table, columns: number): string[][] {
  const { blocks } = layOut(table, columns);
  return blocks.map((block) => block.slice(1).map(({ heading }) => heading));
}

test('what fits stands in one block, with names as wide as they are', () => {
  const { blocks, leftOut } = layOut(tableOf('A', 'b'), 80);
  expect(blocks[0]?.map(({ width }) => width)).toEqual([30, 20, 20]);
  expect(leftOut).toEqual([]);
});

test('names are wrapped before a column goes', () => {
  const { blocks } = layOut(tableOf('A', 'b'), 70);
  expect(blocks[0]?.map(({ width }) => width)).toEqual([26, 20, 20]);
});

test('a name is wrapped between its words, so that a column goes on below', () => {
  const table: Table = {
    names: ['Name'],
    figures: ['A', 'B'].map((heading) => ({ heading, isEssential: true })),
    rows: [[plain(`${'n'.repeat(26)} (SDK 3)`), plain('x'.repeat(20)), plain('x'.repeat(20))]],
  };
  const widthsIn = (columns: number): number[][] =>
    layOut(table, columns).blocks.map((block) => block.map(({ width }) => width));
  expect(widthsIn(70)).toEqual([[26, 20, 20]]);
  expect(widthsIn(68)).toEqual([
    [34, 20],
    [34, 20],
  ]);
});

test('columns that are not essential go where there is no room, the last one first', () => {
  expect(layOut(tableOf('a', 'B', 'c'), 70)).toMatchObject({ leftOut: ['c'] });
  expect(layOut(tableOf('a', 'B', 'c'), 50)).toMatchObject({ leftOut: ['a', 'c'] });
  expect(blocksIn(tableOf('a', 'B', 'c'), 50)).toEqual([['B']]);
});

test('where all columns are alike, or essential, they go on below', () => {
  expect(blocksIn(tableOf('a', 'b', 'c'), 70)).toEqual([['a', 'b'], ['c']]);
  expect(blocksIn(tableOf('A', 'B', 'C'), 70)).toEqual([['A', 'B'], ['C']]);
  expect(layOut(tableOf('A', 'B', 'C'), 70).leftOut).toEqual([]);
});

test('no block is wider than the terminal', () => {
  for (let columns = 42; columns <= 130; columns++)
    for (const table of [tableOf('a', 'B', 'c'), tableOf('a', 'b', 'c'), tableOf('A', 'B', 'C')])
      for (const block of layOut(table, columns).blocks)
        expect(totalWidth(block)).toBeLessThanOrEqual(columns);
});

test('in a narrow terminal two names make room for the widest figure', () => {
  const table: Table = {
    names: ['Task', 'Scenario'],
    figures: [{ heading: 'CPU', isEssential: true }],
    rows: [
      [plain('a task of 21 letters.'), plain('a scenario of 26 letters..'), plain('x'.repeat(28))],
    ],
  };
  for (let columns = 44; columns <= 80; columns++)
    for (const block of layOut(table, columns).blocks)
      expect(totalWidth(block)).toBeLessThanOrEqual(columns);
});
