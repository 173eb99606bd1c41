import type { Run } from '../../analysis/analysis.ts';
import { MIN_PAIRS } from '../../analysis/compare-estimates.ts';
import type { Direction } from '../../analysis/direction.ts';
import type { History, HistoryLine, LineChange } from '../../analysis/history.ts';
import { counted } from '../../words/text.ts';
import { amountText, PERCENT, plusMinusText } from '../cells.ts';
import { misreadingText } from '../misreading-text.ts';
import { runLabels } from './labels.ts';
import { HISTORY_WORDS } from './words.ts';

/** A line of which somebody knows what became of it. */
interface ChangedLine {
  line: HistoryLine;
  change: LineChange;
}

/** What a reader would look at first. */
const URGENCY: Record<Direction, number> = {
  worse: 0,
  better: 1,
  unclear: 2,
  insignificant: 3,
};

/**
 * Returns in words what changed from the first to the last result that can be compared: of the row
 * that changed most, and how many others did.
 */
export function historyAnswer(history: History): string {
  const changed = history.lines.flatMap((line) => changedLineOf(line) ?? []);
  const [first, ...others] = changed.toSorted(byUrgency(headlineOf(history.runs)));
  if (first === undefined) return nothingComparedText(history);
  const missing = history.lines.length - changed.length;
  return `${lineText(first, history.runs)}${othersText(others, missing)}`;
}

function changedLineOf(line: HistoryLine): ChangedLine | null {
  return line.change.missing === null ? { line, change: line.change } : null;
}

/** The scenario that the latest run is about, if its suite names one. */
function headlineOf(runs: readonly Run[]): string | undefined {
  return runs.at(-1)?.header.suite.headline;
}

/**
 * Returns how lines are sorted: of those without a change, the headline and the dearest go first.
 */
function byUrgency(headline: string | undefined) {
  const rankOf = ({ change }: ChangedLine): number[] => {
    const isSteady = change.direction === 'insignificant';
    const isHeadline = change.last.row.scenario === headline;
    return [
      URGENCY[change.direction],
      isSteady && isHeadline ? 0 : 1,
      isSteady ? -change.last.multiple.value : -Math.abs(change.relative.value),
    ];
  };
  return (one: ChangedLine, other: ChangedLine): number => {
    const [ranks, otherRanks] = [rankOf(one), rankOf(other)];
    const differences = ranks.map((rank, at) => rank - (otherRanks[at] ?? 0));
    return differences.find((difference) => difference !== 0) ?? 0;
  };
}

function lineText({ line, change }: ChangedLine, runs: readonly Run[]): string {
  const { first, last, relative, direction } = change;
  const since = `since ${runLabels(runs)[first.at]}`;
  const multiples = new Set([first, last].map(({ multiple }) => multiple.value.toFixed(2)));
  const subject = `${line.label}: ${[...multiples].join(' to ')} times the baseline's CPU`;
  const amount = amountText(PERCENT, relative);
  const why = misreadingText(change);
  const reason = why === '' ? '' : `, which ${why}`;
  switch (direction) {
    case 'worse':
      return `${subject}, ${amount} more ${since}.`;
    case 'better':
      return `${subject}, ${amount} less ${since}.`;
    case 'unclear':
      return `${subject}; it is not known whether it changed ${since} (${plusMinusText(PERCENT, relative)}${reason}).`;
    case 'insignificant':
      return `${subject}, no significant difference ${since}.`;
  }
}

/** What other rows are called in a list, by what became of them. */
const OTHERS: Record<Direction, string> = {
  ...HISTORY_WORDS,
  unclear: 'not known',
  insignificant: 'without a significant difference',
};

/** `missing`: of how many rows nothing can be compared with the last result. */
function othersText(others: readonly ChangedLine[], missing: number): string {
  const byDirection = Map.groupBy(others, ({ change }) => change.direction);
  const parts = [...byDirection].map(([direction, { length }]) => `${length} ${OTHERS[direction]}`);
  if (missing > 0) parts.push(`${missing} not comparable`);
  return parts.length === 0 ? '' : ` Other rows: ${parts.join(', ')}.`;
}

function nothingComparedText({ runs, lines, marks }: History): string {
  if (lines.length === 0) return 'No result knows what a request takes of CPU.';
  // If the last result has no intervals, no difference of before is the reason.
  const isBroken = lines.some(({ change }) => change.missing === 'nothing-before');
  const broken = isBroken ? marks.findLast(({ breaks }) => breaks.length > 0) : undefined;
  const [reason, ...more] = broken?.breaks ?? [];
  const last = `Nothing can be compared with the last result, ${runLabels(runs).at(-1)}`;
  if (reason === undefined)
    return `${last}: no row has ${MIN_PAIRS} pairs of one kind there and before.`;
  const others = more.length > 0 ? `, and ${counted(more.length, 'other difference')}` : '';
  return `${last}: ${reason}${others}.`;
}
