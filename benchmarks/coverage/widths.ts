/**
 * How wide the intervals of published rows are, by both analyses of the same pairs. Rows of a
 * single pair are left out: nobody knows how wide theirs are.
 */
import { median } from 'simple-statistics';
import { halfWidth, type Interval } from '../../harness/analysis/interval.ts';
import { percent } from './cells.ts';
import { isNotable, type PublishedRow } from './published.ts';
import { shareOfTrue } from './simulation.ts';

/** The headings of what `widthCells` returns. */
export const WIDTH_HEADINGS = ['', 'Rows', 'Student ±', 'adjusted ±', '> 20 %', '> 20 %', 'slope'];

/** Returns how many rows cost more than a tenth of their baseline, and how wide they are. */
export function widthCells(name: string, rows: readonly PublishedRow[]): string[] {
  const notable = repeatedRows(rows).filter(isNotable);
  if (notable.length === 0) return [name, '0', '', '', '', '', ''];
  const before = notable.map(({ plain }) => relativeWidth(plain));
  const after = notable.map(({ adjusted }) => relativeWidth(adjusted));
  const slopes = notable.map(({ slope }) => slope);
  return [
    name,
    `${notable.length}`,
    percent(median(before)),
    percent(median(after)),
    percent(shareAbove(before)),
    percent(shareAbove(after)),
    median(slopes).toFixed(2),
  ];
}

/** Returns the rows that have more than one pair. */
export function repeatedRows(rows: readonly PublishedRow[]): PublishedRow[] {
  return rows.filter(({ plain }) => plain.n > 1);
}

/** Returns the half of an interval as a part of its figure. */
export function relativeWidth(interval: Interval): number {
  return halfWidth(interval) / Math.abs(interval.value);
}

function shareAbove(widths: number[]): number {
  return shareOfTrue(widths.map((width) => width > 0.2));
}
