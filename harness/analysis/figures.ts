import { max } from 'simple-statistics';
import type { Latency, Pair, Side } from '../result/schema.ts';
import type { PairWithBursts } from './bursts.ts';
import { countSpans, lostShareOf } from './lost-records.ts';
import { finiteOrNull, meanOf } from './missing-values.ts';
import { answersIn, served, toolBusyNs, totalOf } from './slice-totals.ts';
import { cpuSlicesOf, isCpuOfServersAlone } from './slices.ts';

/**
 * What one server did: means over pairs. A field is null if it was not measured in each of them.
 */
export interface Figures {
  /**
   * From request to answer, in µs, as the load tool saw it: the mean over slices, of means and of
   * percentiles.
   */
  latencyUs: number | null;
  p50Us: number | null;
  p90Us: number | null;
  p95Us: number | null;
  p99Us: number | null;
  p999Us: number | null;
  /**
   * Requests a second: all requests / all seconds, never the mean of short samples that some load
   * tools print.
   */
  throughput: number | null;
  /**
   * CPU time of a request in µs: that of all slices / requests of all slices; with bursts by the
   * clock as often as they come, and not as often as slices hold them.
   */
  cpuUs: number | null;
  /**
   * CPU time / time under load: 1 for a full core, of which a server may use more while it comes to
   * rest.
   */
  busyShare: number | null;
  /** How many of the load tool's cores were busy meanwhile, with anything. */
  toolBusyCores: number | null;
  /** Memory of all processes of the server. */
  memoryBytes: number | null;
  /** The 99th percentile of the event loop's delay in µs, by the probes. */
  eventLoopDelayUs: number | null;
  /** The longest of all slices, in µs. */
  maxUs: number | null;
  /**
   * Of the spans that the requests make; 0 if chance may have sampled so few. Null if they make
   * none, and if nobody knows how many those are.
   */
  lostShare: number | null;
  /** Exported bytes of a request, as they were sent: packed, or not. */
  bytesPerRequest: number | null;
  exportsPerRequest: number | null;
  /** Spans that a request leaves, as was claimed and proved; of sampled ones in the mean. */
  spansPerRequest: number | null;
}

/** A figure that each pair has for itself. */
export type Measure = Exclude<
  keyof Figures,
  'maxUs' | 'lostShare' | 'bytesPerRequest' | 'exportsPerRequest' | 'spansPerRequest'
>;

/** What a pair says of one of its servers: not a finite number for what was not measured. */
type Read = (pair: PairWithBursts, side: Side) => number;

const READ: Record<Measure, Read> = {
  latencyUs: latency('mean'),
  p50Us: latency('p50'),
  p90Us: latency('p90'),
  p95Us: latency('p95'),
  p99Us: latency('p99'),
  p999Us: latency('p999'),
  throughput: ({ alternating }, side) =>
    totalOf(alternating, side, 'requests') / totalOf(alternating, side, 'seconds'),
  cpuUs: (pair, side) => {
    const slices = cpuSlicesOf(pair);
    const { inCpuSlicesNs = 0, perRequestUs = 0 } = pair.bursts?.[side] ?? {};
    const usualNs = totalOf(slices, side, 'cpuNs') - inCpuSlicesNs;
    return usualNs / 1e3 / served(slices, side) + perRequestUs;
  },
  busyShare: ({ alternating }, side) =>
    Math.min(1, totalOf(alternating, side, 'cpuNs') / 1e9 / totalOf(alternating, side, 'seconds')),
  toolBusyCores: ({ alternating }, side) =>
    toolBusyNs(alternating, side) / 1e9 / totalOf(alternating, side, 'seconds'),
  memoryBytes: ({ usage }, side) => usage[side].memoryBytes?.mean ?? Number.NaN,
  eventLoopDelayUs: ({ usage }, side) => usage[side].probe?.eventLoopDelayUs.p99 ?? Number.NaN,
};

/**
 * A 99th percentile is known by one answer of a hundred: with fewer answers than these behind it,
 * it is that of a handful.
 */
export const MIN_ANSWERS_OF_P99 = 1_000;

/** How many answers must stand behind what the slowest of them decide. */
const MIN_ANSWERS: Partial<Record<Measure, number>> = {
  p99Us: MIN_ANSWERS_OF_P99,
  p999Us: 10 * MIN_ANSWERS_OF_P99,
};

/** Returns a figure of one pair, in its unit; no finite number if it was not measured. */
export function figureIn(pair: PairWithBursts, side: Side, measure: Measure): number {
  return READ[measure](pair, side);
}

/** Returns how many answers must stand behind a measure: none if few don't decide it. */
export function leastAnswers(measure: Measure): number {
  return MIN_ANSWERS[measure] ?? 0;
}

/** Returns what the servers on one side of these pairs did; null without pairs. */
export function figuresOf(pairs: PairWithBursts[], side: Side): Figures | null {
  if (pairs.length === 0) return null;
  return {
    ...meansOf(pairs, side),
    maxUs: finiteOrNull(max(pairs.map((pair) => maxLatencyUs(pair, side)))),
    lostShare: lostShareOf(countSpans(pairs, side)),
    bytesPerRequest: payloadsPerRequest(pairs, side, 'bytes'),
    exportsPerRequest: payloadsPerRequest(pairs, side, 'count'),
    spansPerRequest: spansPerRequest(pairs, side),
  };
}

function meansOf(pairs: PairWithBursts[], side: Side): Record<Measure, number | null> {
  const means = Object.entries(READ).map(([measure, read]) => {
    if (answersIn(pairs, side) < leastAnswers(measure as Measure)) return [measure, null];
    const own = measure === 'cpuUs' ? aloneIfAny(pairs) : pairs;
    return [measure, finiteOrNull(meanOf(own.map((pair) => read(pair, side))))];
  });
  return Object.fromEntries(means);
}

/** The CPU of a baseline is that of a server alone, if any row was measured so. */
function aloneIfAny(pairs: PairWithBursts[]): PairWithBursts[] {
  const alone = pairs.filter(isCpuOfServersAlone);
  return alone.length > 0 ? alone : pairs;
}

/** The mean over slices of what the load tool says. */
function latency(name: keyof Latency): Read {
  return ({ alternating }, side) =>
    meanOf(alternating.map((slice) => slice[side].latencyUs?.[name]));
}

/** Infinite if a slice does not tell. */
function maxLatencyUs({ alternating }: Pair, side: Side): number {
  const each = alternating.map((slice) => slice[side].latencyUs?.max ?? Number.POSITIVE_INFINITY);
  return max([0, ...each]);
}

/** Over the whole lives of the servers; null if nothing tells. */
function payloadsPerRequest(pairs: Pair[], side: Side, unit: 'bytes' | 'count'): number | null {
  const payloads = pairs.map(({ exported }) => exported[side]?.payloads);
  const sent = meanOf(payloads.map((each) => each?.[unit]));
  return finiteOrNull(sent / meanOf(payloads.map((each) => each?.requests)));
}

/** Null if requests differ in their spans, or if none is claimed. */
function spansPerRequest(pairs: Pair[], side: Side): number | null {
  const exported = pairs.map((pair) => pair.exported[side]);
  const spans = meanOf(exported.map((each) => each?.spansExpected));
  return finiteOrNull(spans / meanOf(exported.map((each) => each?.payloads?.requests)));
}
