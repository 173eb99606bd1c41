import { max, sum } from 'simple-statistics';
import type { Exported, Loaded, Pair, Side } from '../result/schema.ts';
import type { Figures, Quantity, Resources } from './model.ts';

/** What slices and pairs say, as numbers: not a finite one for what was not measured. */

/** Slices of either kind. */
type Slices = Record<Side, Loaded>[];

/** One number of each pair: scenario minus baseline, of throughput relative to the baseline. */
export const DIFFERENCES: Record<Quantity, (pair: Pair) => number> = {
  latencyUs: ({ alternating }) => difference(alternating, meanLatencyUs),
  cpuUs: ({ duets }) => difference(duets, cpuPerRequestUs),
  throughput: ({ alternating }) => difference(alternating, throughput) / throughput(alternating, 'baseline'),
};

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

/** What the servers on one side of these pairs did; null if there are no pairs. */
export function figuresOf(pairs: Pair[], side: Side): Figures | null {
  if (pairs.length === 0) return null;
  return {
    latencyUs: latencyOf(pairs, side),
    throughput: known(meanOf(pairs.map(({ alternating }) => throughput(alternating, side)))),
    cpuUs: known(meanOf(pairs.map(({ duets }) => cpuPerRequestUs(duets, side)))),
    busyShare: known(meanOf(pairs.map(({ alternating }) => busyShare(alternating, side)))),
    resources: resourcesOf(pairs, side),
    exported: exportedOf(pairs, side),
  };
}

function exportedOf(pairs: Pair[], side: Side): Figures['exported'] {
  const received = pairs.flatMap(({ exported }) => exported[side] ?? []);
  if (received.length === 0) return null;
  const slices = pairs.flatMap(({ alternating, duets }) => [...alternating, ...duets]);
  const sinkShare = total(slices, side, 'sinkCpuNs') / 1e9 / total(slices, side, 'seconds');
  return { receivedShare: known(receivedShare(received)), sinkShare: known(sinkShare) };
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

/** The mean is that of the pairs, as in their differences; percentiles are means over all slices. */
function latencyOf(pairs: Pair[], side: Side): Figures['latencyUs'] {
  const mean = known(meanOf(pairs.map(({ alternating }) => meanLatencyUs(alternating, side))));
  if (mean === null) return null;
  const slices = pairs.flatMap(({ alternating }) => alternating.map((slice) => slice[side].latencyUs));
  const percentile = (name: 'p50' | 'p95' | 'p99') => known(meanOf(slices.map((latency) => latency?.[name])));
  const slowest = max(slices.map((latency) => latency?.max ?? Number.POSITIVE_INFINITY));
  return { mean, p50: percentile('p50'), p95: percentile('p95'), p99: percentile('p99'), max: known(slowest) };
}

/** From the pairs whose probe told something; null if none did. */
function resourcesOf(pairs: Pair[], side: Side): Resources | null {
  const told = pairs.filter(({ usage }) => usage[side]);
  const slices = told.flatMap(({ alternating, duets }) => [...alternating, ...duets]);
  const requests = total(slices, side, 'requests');
  if (requests === 0) return null;
  const usages = told.flatMap(({ usage }) => usage[side] ?? []);
  const memory = (of: 'rssBytes' | 'heapBytes') => ({
    mean: meanOf(usages.map((usage) => usage[of].mean)),
    max: max(usages.map((usage) => usage[of].max)),
  });
  const delays = usages.map(({ eventLoopDelayUs }) => eventLoopDelayUs);
  return {
    cpuUserUs: sum(usages.map(({ cpuUserUs }) => cpuUserUs)) / requests,
    cpuSystemUs: sum(usages.map(({ cpuSystemUs }) => cpuSystemUs)) / requests,
    rssBytes: memory('rssBytes'),
    heapBytes: memory('heapBytes'),
    eventLoopDelayUs: {
      p50: meanOf(delays.map(({ p50 }) => p50)),
      p99: meanOf(delays.map(({ p99 }) => p99)),
      max: max(delays.map((delay) => delay.max)),
    },
  };
}
