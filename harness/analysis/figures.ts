import { max, mean, sum } from 'simple-statistics';
import type { Exported, Latency, Loaded, Pair, Side, Usage } from '../result/schema.ts';

/** What slices and pairs say, as numbers: not a finite one for what was not measured. */

/** Slices of either kind. */
type Slices = Record<Side, Loaded>[];

/** One number of each pair: scenario minus baseline in µs, of throughput relative to the pair's baseline. */
export const DIFFERENCES = {
  latencyUs: ({ alternating }: Pair) => difference(alternating, meanLatencyUs),
  cpuUs: ({ duets }: Pair) => difference(duets, cpuPerRequestUs),
  throughput: ({ alternating }: Pair) => difference(alternating, throughput) / throughput(alternating, 'baseline'),
};

/** What is compared. */
export type Quantity = keyof typeof DIFFERENCES;
export const QUANTITIES = Object.keys(DIFFERENCES) as Quantity[];

/** Scenario minus baseline. */
export function difference(slices: Slices, read: (slices: Slices, side: Side) => number): number {
  return read(slices, 'scenario') - read(slices, 'baseline');
}

/** Mean over slices of the mean latency, in µs. */
export function meanLatencyUs(slices: Slices, side: Side): number {
  return meanOf(slices.map((slice) => slice[side].latencyUs?.mean));
}

/** Requests a second: all requests / all seconds, never the mean of short samples that some load tools print. */
export const throughput = ratio('requests', 'seconds');
/** CPU time of all slices / requests of all slices, in µs. */
export const cpuPerRequestUs = ratio('cpuNs', 'requests', 1e3);
/** CPU time / time under load: 1 for a full core. */
export const busyShare = ratio('cpuNs', 'seconds', 1e9);
/** The same of the sink, while its server was under load. */
const sinkShare = ratio('sinkCpuNs', 'seconds', 1e9);
/** How often the load tool was woken / answers; above 1 if they wake several of its threads. */
export const wakeUpsPerRequest = ratio('toolSleeps', 'requests');

type Summed = 'requests' | 'seconds' | 'cpuNs' | 'sinkCpuNs' | 'toolSleeps';

/** One sum over slices in a unit of this size / another. */
function ratio(counted: Summed, per: Summed, unit = 1) {
  return (slices: Slices, side: Side) => total(slices, side, counted) / unit / total(slices, side, per);
}

/** Over slices; not a number if one of them has none. */
export function total(slices: Slices, side: Side, of: Summed): number {
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

export type Figures = NonNullable<ReturnType<typeof figuresOf>>;

/** What the servers on one side of these pairs did: means over pairs. Null if nothing tells, all of it without pairs. */
export function figuresOf(pairs: Pair[], side: Side) {
  if (pairs.length === 0) return null;
  const meanOver = (read: (pair: Pair) => number) => known(meanOf(pairs.map(read)));
  const meanUs = meanOver(({ alternating }) => meanLatencyUs(alternating, side));
  return {
    /** Null for a run of duet slices alone. */
    latencyUs: meanUs === null ? null : { mean: meanUs, ...latencyOf(pairs, side) },
    throughput: meanOver(({ alternating }) => throughput(alternating, side)),
    cpuUs: meanOver(({ duets }) => cpuPerRequestUs(duets, side)),
    busyShare: meanOver(({ alternating }) => busyShare(alternating, side)),
    resources: resourcesOf(pairs, side),
    exported: exportedOf(pairs, side),
  };
}

/** All slices of a pair. */
export function slicesOf({ alternating, duets }: Pair) {
  return [...alternating, ...duets];
}

function exportedOf(pairs: Pair[], side: Side) {
  const received = pairs.flatMap(({ exported }) => exported[side] ?? []);
  if (received.length === 0) return null;
  const slices = pairs.flatMap(slicesOf);
  return {
    /** Of the spans that the requests make; null if nobody knows how many those are. */
    receivedShare: known(receivedShare(received)),
    sinkShare: known(sinkShare(slices, side)),
  };
}

/** Spans that arrived / spans that the requests make, where sinks have counted them: not a number if none has. */
function receivedShare(received: (Exported | null)[]): number {
  // What the load tool did not see of a server's requests makes up for nothing that another pair lacks.
  return shareOfExpected(received, (each) => Math.min(each.spansReceived, each.spansExpected + each.spansMargin));
}

/** Spans that did not arrive, beyond what chance may leave out of a sampled count / spans that the requests make. */
export function lostShare(received: (Exported | null)[]): number {
  return shareOfExpected(received, (each) => Math.max(0, each.spansExpected - each.spansMargin - each.spansReceived));
}

function shareOfExpected(received: (Exported | null)[], count: (each: Counted) => number): number {
  const counted = received.filter(isCounted);
  return sum(counted.map(count)) / sum(counted.map(({ spansExpected }) => spansExpected));
}

type Counted = Exported & { spansExpected: number };

/** Whether the sink's count says how many of the spans arrived. */
function isCounted(exported: Exported | null): exported is Counted {
  return exported !== null && exported.spansExpected !== null && exported.fault === null;
}

/** Percentiles are means over all slices, max is of all; and what each load host saw, if the load came from others. */
function latencyOf(pairs: Pair[], side: Side) {
  const loaded = pairs.flatMap(({ alternating }) => alternating.map((slice) => slice[side]));
  const seen = loaded.flatMap(({ hosts = [] }) => hosts);
  return {
    ...percentilesOf(loaded),
    max: known(max(loaded.map(({ latencyUs }) => latencyUs?.max ?? Number.POSITIVE_INFINITY))),
    hosts: [...Map.groupBy(seen, ({ host }) => host)].map(([host, slices]) => ({ host, ...percentilesOf(slices) })),
  };
}

function percentilesOf(slices: Pick<Loaded, 'latencyUs'>[]) {
  const at = (name: keyof Latency) => known(meanOf(slices.map(({ latencyUs }) => latencyUs?.[name])));
  return { p50: at('p50'), p90: at('p90'), p95: at('p95'), p99: at('p99'), p999: at('p999') };
}

/** By the probe in the servers, over all slices; CPU times are per request. Null if no probe told anything. */
function resourcesOf(pairs: Pair[], side: Side) {
  const told = pairs.filter(({ usage }) => usage[side]);
  const requests = total(told.flatMap(slicesOf), side, 'requests');
  if (requests === 0) return null;
  const usages = told.flatMap(({ usage }) => usage[side] ?? []);
  const all = (read: (usage: Usage) => number) => usages.map(read);
  const bytes = (of: 'rssBytes' | 'heapBytes') => {
    return { mean: mean(all((usage) => usage[of].mean)), max: max(all((usage) => usage[of].max)) };
  };
  return {
    cpuUserUs: sum(all(({ cpuUserUs }) => cpuUserUs)) / requests,
    cpuSystemUs: sum(all(({ cpuSystemUs }) => cpuSystemUs)) / requests,
    rssBytes: bytes('rssBytes'),
    heapBytes: bytes('heapBytes'),
    eventLoopDelayUs: {
      p50: mean(all(({ eventLoopDelayUs }) => eventLoopDelayUs.p50)),
      p99: mean(all(({ eventLoopDelayUs }) => eventLoopDelayUs.p99)),
      max: max(all(({ eventLoopDelayUs }) => eventLoopDelayUs.max)),
    },
  };
}
