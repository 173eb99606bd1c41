import { max, mean, sum } from 'simple-statistics';
import type { Latency, Loaded, Pair, Side } from '../result/schema.ts';

/** What slices and pairs say, as numbers: not a finite one for what was not measured. */

/** Slices of either kind. */
type Slices = Record<Side, Loaded>[];

/** One number of each pair: scenario minus baseline, in µs. */
export const DIFFERENCES = {
  latencyUs: ({ alternating }: Pair) => difference(alternating, meanLatencyUs),
  cpuUs: ({ duets }: Pair) => difference(duets, cpuPerRequestUs),
  p99Us: ({ alternating }: Pair) => difference(alternating, p99Us),
};

/** What is compared. */
export type Quantity = keyof typeof DIFFERENCES;
export const QUANTITIES = Object.keys(DIFFERENCES) as Quantity[];

/** Scenario minus baseline. */
function difference(slices: Slices, read: (slices: Slices, side: Side) => number): number {
  return read(slices, 'scenario') - read(slices, 'baseline');
}

/** Mean over slices of the mean latency, in µs. */
function meanLatencyUs(slices: Slices, side: Side): number {
  return meanOf(slices.map((slice) => slice[side].latencyUs?.mean));
}

/** The same of the 99th percentile. */
function p99Us(slices: Slices, side: Side): number {
  return meanOf(slices.map((slice) => slice[side].latencyUs?.p99));
}

/** Requests a second: all requests / all seconds, never the mean of short samples that some load tools print. */
const throughput = ratio('requests', 'seconds');
/** CPU time of all slices / requests of all slices, in µs. */
export const cpuPerRequestUs = ratio('cpuNs', 'requests', 1e3);
/** CPU time / time under load: 1 for a full core. */
const busyShare = ratio('cpuNs', 'seconds', 1e9);
/** How often the load tool was woken / answers; above 1 if they wake several of its threads. */
export const wakeUpsPerRequest = ratio('toolSleeps', 'requests');

type Counted = 'requests' | 'seconds' | 'cpuNs' | 'toolSleeps';

/** One sum over slices in a unit of this size / another. */
function ratio(counted: Counted, per: Counted, unit = 1) {
  return (slices: Slices, side: Side) => total(slices, side, counted) / unit / total(slices, side, per);
}

/** Over slices; not a number if one of them has none. */
export function total(slices: Slices, side: Side, of: Counted): number {
  return sum(slices.map((slice) => slice[side][of] ?? Number.NaN));
}

/** Not a number if there are no values, or if one is missing: a mean of the rest would be of something else. */
export function meanOf(values: (number | null | undefined)[]): number {
  return sum(values.map((value) => value ?? Number.NaN)) / values.length;
}

/** Null for what is not a finite number. */
export function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** All slices of a pair. */
export function slicesOf({ alternating, duets }: Pair) {
  return [...alternating, ...duets];
}

export type Figures = NonNullable<ReturnType<typeof figuresOf>>;

/** What the servers on one side of these pairs did: means over pairs. Null if nothing tells, all of it without pairs. */
export function figuresOf(pairs: Pair[], side: Side) {
  if (pairs.length === 0) return null;
  const meanOver = (read: (pair: Pair) => number) => known(meanOf(pairs.map(read)));
  const meanUs = meanOver(({ alternating }) => meanLatencyUs(alternating, side));
  const spans = spansOf(pairs, side);
  return {
    /** Null for a run of duet slices alone. */
    latencyUs: meanUs === null ? null : { mean: meanUs, ...percentilesOf(pairs, side) },
    throughput: meanOver(({ alternating }) => throughput(alternating, side)),
    cpuUs: meanOver(({ duets }) => cpuPerRequestUs(duets, side)),
    busyShare: meanOver(({ alternating }) => busyShare(alternating, side)),
    /** How many of the load tool's cores were busy meanwhile, with anything. */
    toolBusyCores: meanOver(({ alternating }) => {
      const uses = alternating.map(({ cores }) => cores[side]);
      return sum(uses.map((use) => use?.tool.busyNs ?? Number.NaN)) / sum(uses.map((use) => use?.wallNs ?? Number.NaN));
    }),
    /** Of all processes of a server. */
    memoryBytes: meanAndMax(pairs.flatMap(({ usage }) => usage[side].memoryBytes ?? [])),
    resources: resourcesOf(pairs, side),
    /** Null if the servers have no sink. */
    exported: pairs.some(({ exported }) => exported[side])
      ? {
          /** Of the spans that the requests make; null if nobody knows how many those are. */
          lostShare: known(1 - spans.received / spans.expected),
          /** As it was sent: packed, or not. */
          bytesPerRequest: payloadsPerRequest(pairs, side, 'bytes'),
          exportsPerRequest: payloadsPerRequest(pairs, side, 'count'),
        }
      : null,
  };
}

/** Over the whole lives of the servers; null if nothing tells. */
function payloadsPerRequest(pairs: Pair[], side: Side, of: 'bytes' | 'count'): number | null {
  const all = pairs.map(({ exported }) => exported[side]?.payloads);
  return known(meanOf(all.map((sent) => sent?.[of])) / meanOf(all.map((sent) => sent?.requests)));
}

/** Spans that the requests make and that arrived, in those pairs alone in which a sink counted them. */
export function spansOf(pairs: Pair[], side: Side) {
  const counted = pairs.flatMap(({ exported }) => {
    const { spansExpected = null, fault = null, ...counts } = { ...exported[side] };
    const { spansReceived = 0, spansDeviation = 0 } = counts;
    if (spansExpected === null || fault !== null) return [];
    // What the load tool did not see of a server's requests makes up for nothing that another pair lacks.
    const received = spansDeviation > 0 ? spansReceived : Math.min(spansReceived, spansExpected);
    return [{ expected: spansExpected, received, deviation: spansDeviation }];
  });
  return {
    countedPairs: counted.length,
    expected: sum(counted.map(({ expected }) => expected)),
    received: sum(counted.map(({ received }) => received)),
    /** The standard deviation of what is expected, by chance. */
    deviation: Math.hypot(...counted.map(({ deviation }) => deviation)),
  };
}

/** In µs: percentiles are means over all slices, max is of all. Null if one slice lacks it. */
function percentilesOf(pairs: Pair[], side: Side) {
  const told = pairs.flatMap(({ alternating }) => alternating.map((slice) => slice[side].latencyUs));
  const at = (name: keyof Latency) => known(meanOf(told.map((latencyUs) => latencyUs?.[name])));
  return {
    ...{ p50: at('p50'), p90: at('p90'), p95: at('p95'), p99: at('p99'), p999: at('p999') },
    max: known(max(told.map((latencyUs) => latencyUs?.max ?? Number.POSITIVE_INFINITY))),
  };
}

/** Over all slices; CPU times are per request. Each is null if nothing tells, as if no probe was in the servers. */
function resourcesOf(pairs: Pair[], side: Side) {
  const requests = total(pairs.flatMap(slicesOf), side, 'requests');
  const times = pairs.map(({ usage }) => usage[side].cpuUs);
  const probes = pairs.flatMap(({ usage }) => usage[side].probe ?? []);
  return {
    cpuUserUs: known(sum(times.map((us) => us?.user ?? Number.NaN)) / requests),
    cpuSystemUs: known(sum(times.map((us) => us?.system ?? Number.NaN)) / requests),
    heapBytes: known(meanOf(probes.map(({ heapBytes }) => heapBytes.mean))),
    /** The 99th percentile. */
    eventLoopDelayUs: known(meanOf(probes.map(({ eventLoopDelayUs: { p99 } }) => p99))),
  };
}

/** The mean of means and the largest of all; null if there are none. */
function meanAndMax(all: { mean: number; max: number }[]) {
  return all.length === 0 ? null : { mean: mean(all.map((each) => each.mean)), max: max(all.map((each) => each.max)) };
}
