import { sum } from 'simple-statistics';
import { MAX_CHANCE_DEVIATIONS } from '../pair/exported.ts';
import { forBoth } from '../pair/sides.ts';
import type { Exported, Pair, Side } from '../result/schema.ts';

/*
 * Spans and log records that a server was to send and that never arrived: how many, and whether
 * chance alone explains them. Tables, warnings and `soak` all ask here.
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
