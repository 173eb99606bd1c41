import { markdownTable } from 'markdown-table';
import type { Comparison, Cost, Limit } from '../stats/compare.ts';
import { isAbove } from '../stats/compare.ts';
import type { Interval } from '../stats/interval.ts';
import { ONLY_TASK } from '../suite/schema.ts';
import { asMsChange, asPercentChange, asUsChange } from './units.ts';

/** Two results beside each other: what was compared, and how. */
export interface ComparisonReport {
  comparisons: Comparison[];
  /** Why they should not be compared; empty where they may. */
  differences: string[];
  limit: Limit | undefined;
}

/** The table in Markdown, with what must be said under it. What goes in is escaped for Markdown. */
export function comparisonReport({ comparisons, differences, limit }: ComparisonReport): string {
  const headings = ['Test', 'Cost', 'Old', 'New', 'Change', 'Relative', 'Verdict'];
  const rows = comparisons.map((each) => [label(each), ...cells(each, limit)]);
  const table = markdownTable([headings, ...rows], { align: ['l', 'l', 'r', 'r', 'r', 'r', 'l'] });
  return [table, ...notes(comparisons, limit), ...marks(differences)].join('\n\n');
}

/** `Title`, with the task before it where there are several. */
export function label({ task, title }: Comparison): string {
  return task === ONLY_TASK ? title : `${task}: ${title}`;
}

/** A change with its interval: `+1.20 µs (+0.90 µs … +1.50 µs)`. */
export function change({ by, changeUs, changeUsInterval }: Cost): string {
  return withInterval(changeUs, changeUsInterval, by === 'cpu' ? asUsChange : asMsChange);
}

/** A relative change with its interval: `+5.0 % (+4.1 % … +5.9 %)`. */
export function relativeChange({ relative, relativeInterval }: Cost): string {
  return withInterval(relative, relativeInterval, asPercentChange);
}

function withInterval(
  value: number,
  interval: Interval | undefined,
  print: (value: number) => string,
): string {
  return interval ? `${print(value)} (${print(interval.low)} … ${print(interval.high)})` : print(value);
}

function cells(comparison: Comparison, limit: Limit | undefined): string[] {
  const { cost, missing } = comparison;
  if (!cost) return ['-', '', '', '', '', missing ?? ''];
  const print = cost.by === 'cpu' ? asUsChange : asMsChange;
  const verdict = cost.verdict ?? 'no interval';
  return [
    cost.by === 'cpu' ? 'server CPU' : 'latency',
    print(cost.oldUs),
    print(cost.newUs),
    change(cost),
    relativeChange(cost),
    limit && isAbove(comparison, limit) ? `**${verdict}, above ${asLimit(limit)}**` : verdict,
  ];
}

/** The limit as it was given: `5%`. */
export function asLimit({ value, unit }: Limit): string {
  return `${value}${unit}`;
}

function notes(comparisons: Comparison[], limit: Limit | undefined): string[] {
  const method =
    "Cost: what a request takes more than at the baseline, both at the old result's baseline. Relative: to all that a " +
    "request takes in that scenario. In brackets the 95 % interval (Welch's t on the logs of scenario / baseline, a fork " +
    'or round each); ~ is no change that can be told from none.';
  const above = comparisons.filter((each) => limit && isAbove(each, limit)).length;
  const gate = limit
    ? [
        `${above} of ${comparisons.length} intervals ${above === 1 ? 'lies' : 'lie'} wholly above ${asLimit(limit)}.`,
      ]
    : [];
  return comparisons.some(({ cost }) => cost) ? [method, ...gate] : gate;
}

function marks(differences: string[]): string[] {
  if (differences.length === 0) return [];
  return [
    `**Not comparable**: what changed may come from this (old / new).\n\n${differences.map((each) => `- ${each}`).join('\n')}`,
  ];
}
