// Reading what a run left: the table that it printed, and the slices in its result file.
import type { Loaded, Result } from '../../harness/result/schema.ts';

export interface PrintedTable {
  headings: string[];
  /** The cells of each row, but for the first one, which is the key. */
  rows: Record<string, string[]>;
}

/** The first table of a report in Markdown. The marks of warnings are gone. */
export function parseTable(report: string): PrintedTable {
  const lines = report.split('\n');
  const start = lines.findIndex((line) => line.startsWith('|'));
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const [headings = [], , ...rows] = lines.slice(start, end).map(parseCells);
  return {
    headings,
    rows: Object.fromEntries(rows.map(([label = '', ...figures]) => [label, figures])),
  };
}

function parseCells(line: string): string[] {
  const cells = line.slice(1, -1).split('|');
  return cells.map((cell) => cell.replace('†', '').trim());
}

/** What was measured of each server under load in every slice, alternating or duet. */
export function sliceSidesOf(result: Result): Loaded[] {
  return result.pairs.flatMap(({ alternating, duets }) =>
    [...alternating, ...duets].flatMap(({ baseline, scenario }) => [baseline, scenario]),
  );
}
