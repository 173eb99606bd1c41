import { max, mean, sum } from 'simple-statistics';
import type { Exported, Latency, Loaded, Pair, Side } from '../result/schema.ts';

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

function difference(slices: Slices, read: (slices: Slices, side: Side) => number): number {
  return read(slices, 'scenario') - read(slices, 'baseline');
}

/** Mean over slices of the mean latency, in µs. */
export function meanLatencyUs(slices: Slices, side: Side): number {
  return meanOf(slices.map((slice) => slice[side].latencyUs?.mean));
}

/** Requests a second: all requests / all seconds, never the mean of short samples that some load tools print. */
export function throughput(slices: Slices, side: Side): number {
  return total(slices, side, 'requests') / total(slices, side, 'seconds');
}

/** CPU time of all slices / requests of all slices, in µs. */
export function cpuPerRequestUs(slices: Slices, side: Side): number {
  return total(slices, side, 'cpuNs') / 1e3 / total(slices, side, 'requests');
}

/** CPU time / time under load: 1 for a full core. */
export function busyShare(slices: Slices, side: Side): number {
  return total(slices, side, 'cpuNs') / 1e9 / total(slices, side, 'seconds');
}

function total(slices: Slices, side: Side, of: 'requests' | 'seconds' | 'cpuNs' | 'sinkCpuNs'): number {
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
  return {
    /** In alternating slices; null for a run of duet slices alone. */
    latencyUs: latencyOf(pairs, side),
    /** Requests a second in alternating slices. */
    throughput: meanOver(({ alternating }) => throughput(alternating, side)),
    /** CPU time per request in duet slices. */
    cpuUs: meanOver(({ duets }) => cpuPerRequestUs(duets, side)),
    /** How busy the server was in alternating slices: 1 for a full core. */
    busyShare: meanOver(({ alternating }) => busyShare(alternating, side)),
    resources: resourcesOf(pairs, side),
    exported: exportedOf(pairs, side),
  };
}

function exportedOf(pairs: Pair[], side: Side) {
  const received = pairs.flatMap(({ exported }) => exported[side] ?? []);
  if (received.length === 0) return null;
  const slices = pairs.flatMap(({ alternating, duets }) => [...alternating, ...duets]);
  const sinkShare = total(slices, side, 'sinkCpuNs') / 1e9 / total(slices, side, 'seconds');
  return {
    /** Of the spans that the requests make; null if nobody knows how many those are. */
    receivedShare: known(receivedShare(received)),
    /** What the sink took while its server was under load: 1 for a full core. */
    sinkShare: known(sinkShare),
  };
}

/** Spans that arrived / spans that the requests make, where sinks have counted them: not a number if none has. */
export function receivedShare(received: (Exported | null)[]): number {
  const counted = received.filter((each) => each !== null).filter(isCounted);
  // What the load tool did not see of a server's requests makes up for nothing that another pair lacks.
  const arrived = counted.map(({ spansReceived, spansExpected }) => Math.min(spansReceived, spansExpected ?? 0));
  return sum(arrived) / sum(counted.map(({ spansExpected }) => spansExpected ?? 0));
}

/** Whether the sink's count says how many of the spans arrived. */
export function isCounted(exported: Exported | null): boolean {
  return exported !== null && exported.spansExpected !== null && exported.fault === null;
}

/** The mean is that of the pairs, as in their differences; percentiles are means over all slices; max is of all. */
function latencyOf(pairs: Pair[], side: Side) {
  const meanUs = known(meanOf(pairs.map(({ alternating }) => meanLatencyUs(alternating, side))));
  if (meanUs === null) return null;
  const loaded = pairs.flatMap(({ alternating }) => alternating.map((slice) => slice[side]));
  const slices = loaded.map(({ latencyUs }) => latencyUs);
  const percentile = (name: keyof Latency) => known(meanOf(slices.map((latency) => latency?.[name])));
  const slowest = max(slices.map((latency) => latency?.max ?? Number.POSITIVE_INFINITY));
  const [p50, p90, p95] = [percentile('p50'), percentile('p90'), percentile('p95')];
  const [p99, p999] = [percentile('p99'), percentile('p999')];
  return { mean: meanUs, p50, p90, p95, p99, p999, max: known(slowest), hosts: byHost(loaded) };
}

/** Percentiles that each load host saw, as means over slices; none if the load came from this machine. */
function byHost(loaded: Loaded[]) {
  const seen = Map.groupBy(
    loaded.flatMap(({ hosts = [] }) => hosts),
    ({ host }) => host,
  );
  return [...seen].map(([host, slices]) => {
    const percentile = (name: 'p50' | 'p95' | 'p99') => known(meanOf(slices.map(({ latencyUs }) => latencyUs?.[name])));
    return { host, p50: percentile('p50'), p95: percentile('p95'), p99: percentile('p99') };
  });
}

/** By the probe in the servers, over all slices; CPU times are per request. Null if no probe told anything. */
function resourcesOf(pairs: Pair[], side: Side) {
  const told = pairs.filter(({ usage }) => usage[side]);
  const slices = told.flatMap(({ alternating, duets }) => [...alternating, ...duets]);
  const requests = total(slices, side, 'requests');
  if (requests === 0) return null;
  const usages = told.flatMap(({ usage }) => usage[side] ?? []);
  const delays = usages.map(({ eventLoopDelayUs }) => eventLoopDelayUs);
  return {
    cpuUserUs: sum(usages.map(({ cpuUserUs }) => cpuUserUs)) / requests,
    cpuSystemUs: sum(usages.map(({ cpuSystemUs }) => cpuSystemUs)) / requests,
    rssBytes: meanAndMax(usages.map(({ rssBytes }) => rssBytes)),
    heapBytes: meanAndMax(usages.map(({ heapBytes }) => heapBytes)),
    eventLoopDelayUs: {
      p50: mean(delays.map(({ p50 }) => p50)),
      p99: mean(delays.map(({ p99 }) => p99)),
      max: max(delays.map((delay) => delay.max)),
    },
  };
}

function meanAndMax(all: { mean: number; max: number }[]) {
  return { mean: mean(all.map((each) => each.mean)), max: max(all.map((each) => each.max)) };
}
