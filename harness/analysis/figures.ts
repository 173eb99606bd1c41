import { max, sum } from 'simple-statistics';
import type { Latency, Loaded, Pair, Result, Side, Task } from '../result/schema.ts';
import { estimate } from './estimate.ts';

/** What slices and pairs say, as numbers: not a finite one for what was not measured. */

/** Slices of either kind. */
type Slices = Record<Side, Loaded>[];

/** What is compared: a number of one server of a pair, in µs or bytes. */
const READ = {
  latencyUs: ({ alternating }: Pair, side: Side) => latencyUs(alternating, side, 'mean'),
  /** CPU time of all slices / requests of all slices. */
  cpuUs: ({ duets }: Pair, side: Side) => total(duets, side, 'cpuNs') / 1e3 / served(duets, side),
  p99Us: ({ alternating }: Pair, side: Side) => latencyUs(alternating, side, 'p99'),
  memoryBytes: ({ usage }: Pair, side: Side) => usage[side].memoryBytes?.mean ?? Number.NaN,
};
export type Quantity = keyof typeof READ;
export const QUANTITIES = Object.keys(READ) as Quantity[];

/** Scenario minus baseline, in µs or bytes. */
export function difference(pair: Pair, quantity: Quantity): number {
  return READ[quantity](pair, 'scenario') - READ[quantity](pair, 'baseline');
}

/** The mean over slices. */
function latencyUs(slices: Slices, side: Side, name: keyof Latency): number {
  return meanOf(slices.map((slice) => slice[side].latencyUs?.[name]));
}

/** The share of answers that woke the load tool: one may wake several of its threads. */
export function wokenShare(slices: Slices, side: Side): number {
  return Math.min(1, total(slices, side, 'toolSleeps') / total(slices, side, 'requests'));
}

/** Over slices; not a number if one of them has none. */
function total(slices: Slices, side: Side, of: 'requests' | 'underWay' | 'seconds' | 'cpuNs' | 'toolSleeps'): number {
  return sum(slices.map((slice) => slice[side][of] ?? Number.NaN));
}

/** Requests that the servers worked for: some load tools leave without their last answers, which are made all the same. */
export function served(slices: Slices, side: Side): number {
  return total(slices, side, 'requests') + total(slices, side, 'underWay');
}

/** Not a number if there are no values, or if one is missing: a mean of the rest would be of something else. */
function meanOf(values: (number | null | undefined)[]): number {
  return sum(values.map((value) => value ?? Number.NaN)) / values.length;
}

/** Null for what is not a finite number. */
export function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function slicesOf({ alternating, duets }: Pair) {
  return [...alternating, ...duets];
}

export type Figures = NonNullable<ReturnType<typeof figuresOf>>;

/** What the servers on one side of these pairs did: means over pairs. Null if nothing tells, all of it without pairs. */
export function figuresOf(pairs: Pair[], side: Side) {
  if (pairs.length === 0) return null;
  const meanOver = (read: (pair: Pair) => number) => known(meanOf(pairs.map(read)));
  const meanUs = meanOver((pair) => READ.latencyUs(pair, side));
  const slices = pairs.flatMap(({ alternating }) => alternating);
  const percentile = (name: keyof Latency) => known(latencyUs(slices, side, name));
  const memory = pairs.flatMap(({ usage }) => usage[side].memoryBytes?.mean ?? []);
  const probes = pairs.flatMap(({ usage }) => usage[side].probe ?? []);
  const spans = spansOf(pairs, side);
  return {
    /** Null for a run of duet slices alone. Percentiles are means over all slices, max is of all. */
    latencyUs:
      meanUs === null
        ? null
        : {
            mean: meanUs,
            ...{ p50: percentile('p50'), p90: percentile('p90'), p95: percentile('p95') },
            ...{ p99: percentile('p99'), p999: percentile('p999') },
            max: known(max(slices.map((slice) => slice[side].latencyUs?.max ?? Number.POSITIVE_INFINITY))),
          },
    /** Requests a second: all requests / all seconds, never the mean of short samples that some load tools print. */
    throughput: meanOver(({ alternating: own }) => total(own, side, 'requests') / total(own, side, 'seconds')),
    cpuUs: meanOver((pair) => READ.cpuUs(pair, side)),
    /** CPU time / time under load: 1 for a full core, of which a server may use more while it comes to rest. */
    busyShare: meanOver(({ alternating: own }) =>
      Math.min(1, total(own, side, 'cpuNs') / 1e9 / total(own, side, 'seconds')),
    ),
    /** How many of the load tool's cores were busy meanwhile, with anything. */
    toolBusyCores: meanOver(({ alternating }) => {
      const busyNs = sum(alternating.map(({ cores }) => cores[side]?.tool.busyNs ?? Number.NaN));
      return busyNs / 1e9 / total(alternating, side, 'seconds');
    }),
    /** Of all processes of a server. */
    memoryBytes: known(meanOf(memory)),
    /** The 99th percentile, by the probes. */
    eventLoopDelayUs: known(meanOf(probes.map(({ eventLoopDelayUs: { p99 } }) => p99))),
    exported: pairs.some(({ exported }) => exported[side])
      ? {
          /** Of the spans that the requests make; null if nobody knows how many those are. Chance may sample more of them. */
          lostShare: known(Math.max(0, 1 - spans.received / spans.expected)),
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

/**
 * What a server takes beside its work; each field is null if it was not measured. By the scenario's own starts; on the side
 * of the baseline by all of the task, and without a change. Null if the suite does not ask for it.
 */
export function footprintOf(result: Result, task: Task, scenario: string, side: Side) {
  const isOwn = (each: { task: string; scenario: string }) =>
    each.task === task.name && (side === 'baseline' || each.scenario === scenario);
  const starts = result.startUps.filter(isOwn).map(({ ms }) => ms);
  const idles = result.idles.filter(isOwn).map(({ cpuMsPerSecond }) => cpuMsPerSecond[side]);
  const rowCount = result.startUps.filter((each) => each.task === task.name).length;
  if (rowCount + idles.length === 0) return null;
  const changesMs = starts.flatMap((ms) => ms.scenario.map((own, at) => own - (ms.baseline[at] ?? Number.NaN)));
  return {
    /** From the start of the process to its first answer, and scenario minus baseline. */
    startUpMs: known(meanOf(starts.flatMap((ms) => ms[side]))),
    startUpChangeMs: side === 'scenario' && changesMs.length > 0 ? estimate(changesMs, rowCount) : null,
    /** CPU time in a second without requests. */
    standingMsPerSecond: known(meanOf(idles)),
  };
}
