import { max, sum } from 'simple-statistics';
import type { Latency, Loaded, Pair, Result, Side, Task } from '../result/schema.ts';
import { estimate } from './estimate.ts';

/** Slices of either kind. */
type Slices = Record<Side, Loaded>[];

/** The mean over slices. */
const latency = (name: keyof Latency) => (pair: Pair, side: Side) =>
  meanOf(pair.alternating.map((slice) => slice[side].latencyUs?.[name]));

/** What a pair says of one of its servers: not a finite number for what was not measured. */
const READ = {
  latencyUs: latency('mean'),
  p50Us: latency('p50'),
  p90Us: latency('p90'),
  p95Us: latency('p95'),
  p99Us: latency('p99'),
  p999Us: latency('p999'),
  /** Requests a second: all requests / all seconds, never the mean of short samples that some load tools print. */
  throughput: ({ alternating: own }: Pair, side: Side) =>
    total(own, side, 'requests') / total(own, side, 'seconds'),
  /** CPU time of all slices / requests of all slices. */
  cpuUs: ({ duets }: Pair, side: Side) => total(duets, side, 'cpuNs') / 1e3 / served(duets, side),
  /** CPU time / time under load: 1 for a full core, of which a server may use more while it comes to rest. */
  busyShare: ({ alternating: own }: Pair, side: Side) =>
    Math.min(1, total(own, side, 'cpuNs') / 1e9 / total(own, side, 'seconds')),
  /** How many of the load tool's cores were busy meanwhile, with anything. */
  toolBusyCores: ({ alternating: own }: Pair, side: Side) =>
    sum(own.map(({ cores }) => cores[side]?.tool.busyNs ?? Number.NaN)) /
    1e9 /
    total(own, side, 'seconds'),
  /** Of all processes of the server. */
  memoryBytes: ({ usage }: Pair, side: Side) => usage[side].memoryBytes?.mean ?? Number.NaN,
  /** The 99th percentile, by the probes. */
  eventLoopDelayUs: ({ usage }: Pair, side: Side) =>
    usage[side].probe?.eventLoopDelayUs.p99 ?? Number.NaN,
};
type Measure = keyof typeof READ;
const MEASURES = Object.keys(READ) as Measure[];

/** What is compared. */
export const QUANTITIES = [
  'latencyUs',
  'cpuUs',
  'p99Us',
  'memoryBytes',
] as const satisfies Measure[];
export type Quantity = (typeof QUANTITIES)[number];

/** Scenario minus baseline, in µs or bytes. */
export function difference(pair: Pair, quantity: Quantity): number {
  return READ[quantity](pair, 'scenario') - READ[quantity](pair, 'baseline');
}

/** The share of answers that woke the load tool: one may wake several of its threads. */
export function wokenShare(slices: Slices, side: Side): number {
  return Math.min(1, total(slices, side, 'toolSleeps') / total(slices, side, 'requests'));
}

/** Over slices; not a number if one of them has none. */
function total(
  slices: Slices,
  side: Side,
  of: 'requests' | 'underWay' | 'seconds' | 'cpuNs' | 'toolSleeps',
): number {
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

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function slicesOf({ alternating, duets }: Pair) {
  return [...alternating, ...duets];
}

export type Figures = NonNullable<ReturnType<typeof figuresOf>>;

/** What the servers on one side of these pairs did: means over pairs. Null if nothing tells, all of it without pairs. */
export function figuresOf(pairs: Pair[], side: Side) {
  if (pairs.length === 0) return null;
  const means = MEASURES.map((measure) => [
    measure,
    known(meanOf(pairs.map((pair) => READ[measure](pair, side)))),
  ]);
  const slices = pairs.flatMap(({ alternating }) => alternating);
  const spans = spansOf(pairs, side);
  return {
    ...(Object.fromEntries(means) as Record<Measure, number | null>),
    /** Of all slices. */
    maxUs: known(
      max([0, ...slices.map((slice) => slice[side].latencyUs?.max ?? Number.POSITIVE_INFINITY)]),
    ),
    /** Of the spans that the requests make; null if nobody knows how many those are. Chance may sample more of them. */
    lostShare: known(Math.max(0, 1 - spans.received / spans.expected)),
    /** As it was sent: packed, or not. */
    bytesPerRequest: payloadsPerRequest(pairs, side, 'bytes'),
    exportsPerRequest: payloadsPerRequest(pairs, side, 'count'),
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
    const own = exported[side];
    if (!own || own.spansExpected === null || own.fault !== null) return [];
    const { spansExpected: expected, spansReceived, spansDeviation: deviation } = own;
    // What the load tool did not see of a server's requests makes up for nothing that another pair lacks.
    const received = deviation > 0 ? spansReceived : Math.min(spansReceived, expected);
    return [{ expected, received, deviation }];
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
  const changesMs = starts.flatMap((ms) =>
    ms.scenario.map((own, at) => own - (ms.baseline[at] ?? Number.NaN)),
  );
  return {
    /** From the start of the process to its first answer, and scenario minus baseline. */
    startUpMs: known(meanOf(starts.flatMap((ms) => ms[side]))),
    startUpChangeMs:
      side === 'scenario' && changesMs.length > 0 ? estimate(changesMs, rowCount) : null,
    /** CPU time in a second without requests. */
    standingMsPerSecond: known(meanOf(idles)),
  };
}
