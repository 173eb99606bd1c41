/** What `benchmarks/power.ts` keeps of its comparisons, and how that is printed. */
import { markdownTable } from 'markdown-table';
import { mean, median } from 'simple-statistics';
import { halfWidth, holdsZero, type Interval } from '../../harness/analysis/interval.ts';
import { Problem } from '../../harness/words/errors.ts';

/** What is compared, and how. */
export interface Setting {
  scenario: string;
  /** By how much the slower server is slower, in % of what a request takes. */
  slowerPercent: number;
  /** The limit of the gate, such as `2%`; null without a gate. */
  failAbove: string | null;
}

/** One comparison; µs of CPU time a request. */
export interface Compared {
  oldUs: number;
  changeUs: Interval;
  /** What was put in on purpose, as the server itself timed it. */
  trueUs: number;
  /** Whether the gate at the limit failed. */
  isStopped: boolean;
  /** Files of before the rule have neither. */
  pairs?: number;
  seconds?: number;
}

/** All that a file holds. */
export interface Comparisons extends Setting {
  /** The fixed number of pairs of a comparison; files since the rule have none. */
  pairs?: number;
  same: Compared[];
  slower: Compared[];
}

/** What files of before the rule do not say. */
const BEFORE_THE_RULE = { slowerPercent: 2, failAbove: '2%' };

/** Returns the comparisons that a file holds; null for a file of another kind. */
export function comparisonsIn(text: string): Comparisons | null {
  const found = JSON.parse(text);
  return 'same' in found && 'slower' in found ? { ...BEFORE_THE_RULE, ...found } : null;
}

/**
 * Returns how many comparisons of a kind came to that: `39 of 40`.
 * @param rows `same` or `slower`
 * @param what `different` or `stopped`
 * @throws Problem for anything else
 */
export function powerFigure(comparisons: Comparisons, rows: string, what: string): string {
  const all = { same: comparisons.same, slower: comparisons.slower }[rows];
  const text = { different: differentText, stopped: stoppedText }[what];
  if (!all || !text)
    throw new Problem(
      `Comparisons have no "${rows} ${what}"`,
      'Write same or slower, and different or stopped',
    );
  return text(all);
}

/** Returns the table of all comparisons, and of which server they are. */
export function powerReport({ scenario, pairs, failAbove, same, slower }: Comparisons): string {
  const truth = mean(slower.map(({ trueUs, oldUs }) => (trueUs / oldUs) * 100));
  const stopped = failAbove === null ? [] : [`Stopped at --fail-above ${failAbove}`];
  const headings = [
    'Comparison',
    'Change of CPU per request (medians)',
    'Called different',
    ...stopped,
    ...(pairs === undefined ? ['Pairs', 'Seconds'] : []),
  ];
  const lines = [
    lineOf('a commit with itself', same, failAbove),
    lineOf(`slower on purpose by ${percent(truth)}`, slower, failAbove),
  ];
  const fixed = pairs === undefined ? '' : `, ${pairs} pairs a comparison`;
  return `${markdownTable([headings, ...lines])}\n\n${scenario}${fixed}.`;
}

function lineOf(title: string, all: readonly Compared[], failAbove: string | null): string[] {
  const widths = all.map(({ changeUs, oldUs }) => (halfWidth(changeUs) / oldUs) * 100);
  const changes = all.map(({ changeUs, oldUs }) => (changeUs.value / oldUs) * 100);
  return [
    title,
    `${percent(median(changes))} ±${percent(median(widths))}`,
    differentText(all),
    ...(failAbove === null ? [] : [stoppedText(all)]),
    ...costsOfTime(all),
  ];
}

/** Returns how many pairs and seconds a comparison took, if the file says so. */
function costsOfTime(all: readonly Compared[]): string[] {
  const pairs = all.flatMap((each) => each.pairs ?? []);
  const seconds = all.flatMap((each) => each.seconds ?? []);
  return pairs.length > 0 ? [mean(pairs).toFixed(1), median(seconds).toFixed(0)] : [];
}

function percent(value: number): string {
  return `${value.toFixed(2)} %`;
}

function differentText(all: readonly Compared[]): string {
  return countText(all, ({ changeUs }) => !holdsZero(changeUs));
}

function stoppedText(all: readonly Compared[]): string {
  return countText(all, ({ isStopped }) => isStopped);
}

function countText(all: readonly Compared[], isCounted: (one: Compared) => boolean): string {
  return `${all.filter(isCounted).length} of ${all.length}`;
}
