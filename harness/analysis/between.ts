import { changeBetweenRows, intervalAmong, MIN_PAIRS } from './compare-estimates.ts';
import type { Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import {
  type Misreading,
  type MisreadReason,
  misreadingOf,
  NOT_MISREAD,
  whyTooLow,
} from './misreading.ts';
import type { Baseline, Row, TaskAnalysis } from './rows.ts';

/** What is compared between two rows: CPU if it was measured, else latency. */
export type BetweenQuantity = 'cpuUs' | 'latencyUs';

/** How much more a request takes of one server of a task than of another, by the pairs of both. */
export interface Between extends Misreading {
  /** Stands before both titles: the task, or nothing for a run with one. */
  prefix: string;
  first: Server;
  second: Server;
  quantity: BetweenQuantity;
  /** First minus second, in µs; an interval that holds together with those of all tasks. */
  differenceUs: Interval;
  /** All that a request takes of the second, in µs. */
  secondUs: number;
}

/** A task in which the two can't be compared. */
export interface NotBetween {
  prefix: string;
  reason: string;
}

/** One of the two. */
interface Server {
  scenario: string;
  title: string;
  /** How many pairs it has of its own; null for the baseline, which is in all. */
  pairs: number | null;
}

/** A server, and what it costs more than the baseline: nothing for the baseline itself. */
interface CostedServer extends Server {
  row: Row | null;
}

/** Returns those of the tasks that have both scenarios. */
export function tasksWithBoth(
  tasks: readonly TaskAnalysis[],
  first: string,
  second: string,
): TaskAnalysis[] {
  return tasks.filter((task) => [first, second].every((name) => serverOf(task, name) !== null));
}

/**
 * Returns how much more the first scenario takes than the second in each of the tasks, which have
 * both. What their errors share, since they have one slope, counts once: so this tells two rows
 * apart whose own intervals overlap.
 */
export function betweenRows(
  tasks: readonly TaskAnalysis[],
  first: string,
  second: string,
): (Between | NotBetween)[] {
  return tasks.map((task) => {
    const one = serverOf(task, first) as CostedServer;
    const other = serverOf(task, second) as CostedServer;
    const reason = whyNot(one) ?? whyNot(other);
    if (reason !== null) return { prefix: task.prefix, reason };
    return between(task, one, other, tasks.length);
  });
}

function serverOf({ baseline, rows }: TaskAnalysis, name: string): CostedServer | null {
  if (baseline.scenario === name) return { ...named(baseline), pairs: null, row: null };
  const row = rows.find(({ scenario }) => scenario === name);
  return row ? { ...named(row), pairs: row.pairs.length, row } : null;
}

function named({ scenario, title }: Baseline): Pick<Server, 'scenario' | 'title'> {
  return { scenario, title };
}

function whyNot({ title, row }: CostedServer): string | null {
  const [fault] = row?.faults ?? [];
  if (fault) return `${title} has no figures: ${fault.what}`;
  if (row && row.pairs.length < MIN_PAIRS) return `${title} has fewer than ${MIN_PAIRS} pairs`;
  return null;
}

function between(
  { prefix }: TaskAnalysis,
  first: CostedServer,
  second: CostedServer,
  intervals: number,
): Between | NotBetween {
  const quantity = [first, second].every((each) => isKnown(each, 'cpuUs')) ? 'cpuUs' : 'latencyUs';
  const costs = [costOf(first, quantity), costOf(second, quantity)] as const;
  const [some] = costs.filter((cost) => cost !== null);
  if (!some || ![first, second].every((each) => isKnown(each, quantity)))
    return { prefix, reason: 'neither CPU nor latency was measured of both' };
  return {
    prefix,
    first: withoutRow(first),
    second: withoutRow(second),
    quantity,
    differenceUs: differenceOf(...costs, intervals),
    ...(quantity === 'cpuUs' ? misreadingOfBoth(first, second) : NOT_MISREAD),
    // The baseline beside which the second was measured: that of the first may be of other slices.
    secondUs: (costs[1] ?? some).baseline + (costs[1]?.value ?? 0),
  };
}

/** What reads too low of the second makes the difference read too high. */
function misreadingOfBoth(first: CostedServer, second: CostedServer): Misreading {
  return {
    tooLowBecause: whyTooLowBeside(first, second),
    tooHighBecause: whyTooLowBeside(second, first),
  };
}

/** A baseline has no row of its own: that of the other tells. */
function whyTooLowBeside({ row }: CostedServer, other: CostedServer): MisreadReason | null {
  if (row) return whyTooLow(row);
  return other.row && misreadingOf(other.row).tooHighBecause;
}

/** The cost of a baseline is known to be nothing. */
function isKnown(server: CostedServer, quantity: BetweenQuantity): boolean {
  return server.row === null || costOf(server, quantity) !== null;
}

function costOf({ row }: CostedServer, quantity: BetweenQuantity): Estimate | null {
  return row?.change[quantity] ?? null;
}

function withoutRow({ row: _, ...server }: CostedServer): Server {
  return server;
}

/** Null stands for the baseline, of which one of the two may be. */
function differenceOf(
  first: Estimate | null,
  second: Estimate | null,
  intervals: number,
): Interval {
  if (first && second) return changeBetweenRows(second, first, intervals);
  if (first) return intervalAmong(intervals, first);
  const { value, low, high } = intervalAmong(intervals, second as Estimate);
  return { value: -value, low: -high, high: -low };
}
