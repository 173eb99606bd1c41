import { sum } from 'simple-statistics';
import { MAX_CHANCE_DEVIATIONS } from '../pair/exported.ts';
import { forBoth, otherSide } from '../pair/sides.ts';
import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import type { Exported, Pair, Side } from '../result/schema.ts';

/*
 * Spans and log records that a server was to send and that never arrived: how many, whether chance
 * alone explains them, and whether they matter. Tables, warnings, verdicts and `soak` all ask here.
 */

/** Records of one kind that requests make, and those that arrived. */
export interface RecordCounts {
  expected: number;
  received: number;
  /** The standard deviation of what is expected: requests may be sampled by chance. */
  standardDeviation: number;
}

/** Sums over pairs. */
export interface PairsCounts extends RecordCounts {
  /** In how many pairs a sink counted them: sums are of these alone. */
  countedPairs: number;
}

/** A kind of records that a server may lose, and how they are counted. */
export interface RecordKind {
  name: string;
  count: (pairs: readonly Pair[], side: Side) => RecordCounts;
}

export const RECORD_KINDS: readonly RecordKind[] = [
  { name: 'spans', count: countSpans },
  { name: 'log records', count: countLogRecords },
];

/** A row as far as its records are counted. */
interface CountedRow {
  pairs: readonly Pair[];
  /** How its sink behaves, if that is what is measured: then the table says what is lost. */
  receiver: ReceiverBehaviour | undefined;
}

/** If more were lost, a server did less work than it claims. */
const HARMLESS_SHARE = 0.001;

/** By less than this, the shares of the same code differ from one hour to the next. */
const UNLIKE_SHARE = 0.01;

/** Returns the spans of the server on that side, over the pairs in which a sink counted them. */
export function countSpans(pairs: readonly Pair[], side: Side): PairsCounts {
  return sumsOf(pairs.flatMap(({ exported }) => spansOf(exported[side]) ?? []));
}

/** Returns the same of log records. */
export function countLogRecords(pairs: readonly Pair[], side: Side): PairsCounts {
  return sumsOf(pairs.flatMap(({ exported }) => logRecordsOf(exported[side]) ?? []));
}

/** Returns how many records were lost: 0 if chance may have sampled so few. */
export function lostIn({ expected, received, standardDeviation }: RecordCounts): number {
  const lost = expected - received;
  return lost <= MAX_CHANCE_DEVIATIONS * standardDeviation ? 0 : Math.max(0, lost);
}

/** Returns which share of the records was lost; null if there were to be none. */
export function lostShareOf(counts: RecordCounts): number | null {
  return counts.expected === 0 ? null : lostIn(counts) / counts.expected;
}

/** Returns the share of the records that was lost; 0 if it is so little that it does no harm. */
function harmfulLossOf(counts: RecordCounts): number {
  const share = lostShareOf(counts) ?? 0;
  return share > HARMLESS_SHARE ? share : 0;
}

/**
 * Returns the share of records of this kind that the server of a row on that side lost; 0 if it is
 * so little that it does no harm.
 */
export function lossOf({ pairs, receiver }: CountedRow, { count }: RecordKind, side: Side): number {
  // Of a receiver in trouble, the table says what is lost.
  if (side === 'scenario' && receiver !== undefined) return 0;
  return harmfulLossOf(count(pairs, side));
}

/** Returns whether the server of a row on that side did not send all that it has. */
export function losesRecords(row: CountedRow, side: Side): boolean {
  return RECORD_KINDS.some((kind) => lossOf(row, kind, side) > 0);
}

/**
 * Returns the share of the expected spans that may be lost unseen: those of requests that were
 * still unanswered when the load tool ended make up for them. 0 if as many came as all requests leave.
 */
export function unseenLossOf(pairs: readonly Pair[], side: Side): number {
  const counted = pairs.flatMap(({ exported }) => unseenIn(exported[side]) ?? []);
  const unseen = sum(counted.map(({ missing }) => missing));
  const expected = sum(counted.map((each) => each.expected));
  return expected > 0 ? Math.max(0, unseen / expected) : 0;
}

/** Returns null if the load tool left no requests, or if chance samples them. */
function unseenIn(exported: Exported | null): { expected: number; missing: number } | null {
  if (!exported || exported.fault !== null) return null;
  const { spansExpected: expected, spansDeviation, spansReceived, spansWithUnanswered } = exported;
  if (expected === null || spansWithUnanswered === undefined || spansDeviation > 0) return null;
  // Spans of answered requests that never came are a loss that is seen.
  const accountedFor = Math.max(expected, spansReceived);
  return { expected, missing: spansWithUnanswered - accountedFor };
}

/** Returns whether in most pairs of a row the server on that side lost more than the other one. */
export function losesMoreThanOther({ pairs, receiver }: CountedRow, side: Side): boolean {
  if (receiver !== undefined) return false;
  return RECORD_KINDS.some(({ count }) => {
    const losing = pairs.filter((pair) =>
      isMoreLost(count([pair], side), count([pair], otherSide(side))),
    );
    return losing.length > pairs.length / 2;
  });
}

/** Returns whether the scenario of a row lost more than that of the row of another result. */
export function losesMoreThan(row: CountedRow, other: CountedRow): boolean {
  if (row.receiver !== undefined) return false;
  return RECORD_KINDS.some(({ count }) =>
    isMoreLost(count(row.pairs, 'scenario'), count(other.pairs, 'scenario')),
  );
}

function isMoreLost(some: RecordCounts, others: RecordCounts): boolean {
  return harmfulLossOf(some) > harmfulLossOf(others) + UNLIKE_SHARE;
}

/**
 * Returns the pairs of a row at a steady rate without counts that nobody can read: older files
 * don't tell what was lost in the warm-up, which is at full load, from what was lost at the rate.
 */
export function withReadableCounts(pairs: readonly Pair[]): Pair[] {
  const isReadable = forBoth((side) => pairs.every(({ exported }) => isClear(exported[side])));
  return pairs.map((pair) => ({
    ...pair,
    exported: forBoth((side) =>
      isReadable[side] ? pair.exported[side] : withoutCounts(pair.exported[side]),
    ),
  }));
}

/** Returns whether the counts tell what was lost after the warm-up. */
function isClear(exported: Exported | null): boolean {
  if (!exported || exported.sinceWarmUp) return true;
  const counts = [spansOf(exported), logRecordsOf(exported)];
  return counts.every((each) => each === null || lostIn(each) === 0);
}

function withoutCounts(exported: Exported | null): Exported | null {
  const sinceWarmUp = { spansExpected: null, spansDeviation: 0, spansReceived: 0 };
  return exported && { ...exported, sinceWarmUp };
}

/** Returns whether spans were counted, but not when the slices were under way. */
export function isOfWarmUpToo({ exported }: Pair, side: Side): boolean {
  const counts = exported[side];
  return counts?.sinceWarmUp?.spansExpected === null && counts.spansExpected !== null;
}

function sumsOf(counted: readonly RecordCounts[]): PairsCounts {
  return {
    countedPairs: counted.length,
    expected: sum(counted.map(({ expected }) => expected)),
    received: sum(counted.map(({ received }) => received)),
    standardDeviation: Math.hypot(...counted.map((each) => each.standardDeviation)),
  };
}

/** Returns null if no sink counted them, or if nobody knows how many there should be. */
function spansOf(exported: Exported | null): RecordCounts | null {
  if (!exported || exported.fault !== null) return null;
  const {
    spansExpected: expected,
    spansReceived,
    spansDeviation: standardDeviation,
  } = exported.sinceWarmUp ?? exported;
  if (expected === null) return null;
  // What the load tool did not see of a server's requests makes up for nothing that another pair
  // lacks.
  const received = standardDeviation > 0 ? spansReceived : Math.min(spansReceived, expected);
  return { expected, received, standardDeviation };
}

/** Returns null if no sink counted them, or if nobody knows how many there should be. */
function logRecordsOf(exported: Exported | null): RecordCounts | null {
  if (!exported || exported.fault !== null) return null;
  const { logRecords } = exported.sinceWarmUp ?? exported;
  if (!logRecords) return null;
  const { expected, received } = logRecords;
  return { expected, received: Math.min(received, expected), standardDeviation: 0 };
}
