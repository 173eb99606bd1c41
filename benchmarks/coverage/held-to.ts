/**
 * What the project is held to: a published row that costs more than half of its baseline is to be
 * known within 15 % of its cost, and any other within a twentieth of the baseline's CPU. Of a row
 * that costs no more than half of that, a tenth of its own cost is never more.
 */
import { median } from 'simple-statistics';
import { halfWidth } from '../../harness/analysis/interval.ts';
import { percent } from './cells.ts';
import type { PublishedRow } from './published.ts';
import { shareOfTrue } from './simulation.ts';
import { relativeWidth, repeatedRows } from './widths.ts';

/** How far published rows are what the project is held to. What no row tells is not a number. */
export interface HeldTo {
  /** The rows that cost more than half of their baseline. */
  dear: {
    rows: number;
    /** The median of half-width / cost. */
    width: number;
    /** The share that is known well enough. */
    known: number;
  };
  /** All other rows. */
  others: { rows: number; known: number };
}

const MAX_SHARE_OF_COST = 0.15;
const MAX_SHARE_OF_BASELINE = 1 / 20;

/** Returns how far rows are what the project is held to; those of a single pair are left out. */
export function heldTo(rows: readonly PublishedRow[]): HeldTo {
  const repeated = repeatedRows(rows);
  const widths = repeated.filter(isDear).map(({ adjusted }) => relativeWidth(adjusted));
  const others = repeated.filter((row) => !isDear(row));
  return {
    dear: {
      rows: widths.length,
      width: widths.length > 0 ? median(widths) : Number.NaN,
      known: shareOfTrue(widths.map((width) => width <= MAX_SHARE_OF_COST)),
    },
    others: { rows: others.length, known: shareOfTrue(others.map(isWithinBaseline)) },
  };
}

/** Returns that as a line. */
export function heldToText({ dear, others }: HeldTo): string {
  return (
    `Rows that cost more than half of their baseline: ${dear.rows}, median ` +
    `±${percent(dear.width)}, ${percent(dear.known)} of them within 15 %. All others: ` +
    `${others.rows}, ${percent(others.known)} of them within a twentieth of the baseline's CPU.`
  );
}

function isDear({ adjusted }: PublishedRow): boolean {
  return Math.abs(adjusted.value) > adjusted.baseline / 2;
}

function isWithinBaseline({ adjusted }: PublishedRow): boolean {
  return halfWidth(adjusted) <= adjusted.baseline * MAX_SHARE_OF_BASELINE;
}
