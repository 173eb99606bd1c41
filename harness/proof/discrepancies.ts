import { sum } from 'simple-statistics';
import type { Attributes, ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';
import { apart, type ExpectedSpan, fits, isOneOf, spansPerTrace, type Telemetry } from '../suite/telemetry.ts';
import type { Receiver } from './receiver.ts';
import { byName, byParent, type Children, ofRequests } from './traces.ts';

/** How far the number of sampled traces may lie from the share that is claimed: chance alone does that once in 10,000 proofs. */
const DEVIATIONS = 4;

/** What came of a server that had at most so many processes. */
export type Arrived = Pick<Receiver, 'spans' | 'points' | 'logs' | 'fault'> & {
  processes: number;
  /** Where to a server that is to export by gRPC did so by HTTP. */
  byHttp: string[];
};

/** All in which what arrived is not what was claimed of so many requests each, in words; empty for a proof. */
export function differences(claims: Telemetry[], each: number, arrived: Arrived): string[] {
  const { spans, points, logs, fault } = arrived;
  const names = apart(claims);
  const own = points.filter(({ metric }) => !isOneOf(names, metric));
  return [
    ...(fault === null ? [] : [`something that can't be read arrived (${fault})`]),
    ...arrived.byHttp.map((path) => `expected exports by gRPC, received POST ${path}`),
    ...spanDifferences(claims, each, ofRequests(spans, names)),
    ...metricDifferences(claims, each, own),
    ...[...new Set(claims.flatMap(({ atStart }) => atStart))].flatMap((name) => startDifference(name, arrived)),
    ...logDifference(claims, each, logs),
  ];
}

function startDifference(name: string, { spans, points, processes }: Arrived): string[] {
  const counts = points.filter(({ metric }) => metric === name).map(({ count }) => count);
  const received = spans.filter((span) => span.name === name).length + sum(counts);
  const most = `at most once for each process, of which there were ${processes}`;
  return received <= processes ? [] : [`expected "${name}" ${most}, received ${received}`];
}

/** Those of traced requests have their trace. A start may leave some without, too: fewer than there are requests. */
function logDifference(claims: Telemetry[], each: number, { traced, others }: Arrived['logs']): string[] {
  if (claims.every(({ logs }) => !logs)) return [];
  const expected = each * sum(claims.map(({ logs }) => logs?.perRequest ?? 0));
  if (claims.every(({ span, sampled }) => span && sampled === 1))
    return differs('log records with a trace', expected, traced);
  const received = traced + others;
  const isFitting = received >= expected && received < expected + each * claims.length;
  return isFitting ? [] : [`expected ${expected} log records, received ${received}`];
}

function spanDifferences(claims: Telemetry[], each: number, spans: ReceivedSpan[]): string[] {
  const traced = claims.filter(({ span }) => span);
  const [first] = spans;
  if (traced.length === 0) return first ? [`expected no span, received ${spans.length} (${label(first)})`] : [];
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  const total = (count: (claim: Telemetry) => number) => each * sum(traced.map(count));
  const variance = total(({ sampled }) => sampled * (1 - sampled));
  const trees = traced.map(({ span }) => span as ExpectedSpan);
  const found = traces.flatMap((trace) => traceDifference(trees, trace) ?? []);
  const wrong = Map.groupBy(found, String);
  const expectedSpans = total((claim) => claim.sampled * spansPerTrace(claim));
  const expectedTraces = total(({ sampled }) => sampled);
  const within = DEVIATIONS * Math.sqrt(variance);
  return [
    // If traces are sampled, each must still have all of its spans.
    ...(variance === 0 ? differs('spans', expectedSpans, spans.length) : []),
    ...differs('traces, one a request', expectedTraces, traces.length, within),
    ...[...wrong].map(([text, { length }]) => `${text} (in ${length} of ${traces.length} traces)`),
  ];
}

function differs(what: string, expected: number, received: number, within = 0): string[] {
  if (Math.abs(expected - received) <= within) return [];
  const margin = within > 0 ? ` ± ${Math.floor(within)}` : '';
  return [`expected ${expected}${margin} ${what}, received ${received}`];
}

/** Why a trace fits no claim whose root has its name, or else the first; undefined if it fits one. */
function traceDifference(claims: ExpectedSpan[], trace: ReceivedSpan[]): string | undefined {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const lost = trace.find(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId));
  if (lost) return `the parent of ${label(lost)} did not arrive`;
  const roots = trace.filter(({ parentSpanId }) => parentSpanId === undefined);
  const [root] = roots;
  if (!root || roots.length > 1) return `expected one span without a parent, received ${roots.length}`;
  const children = byParent(trace);
  const named = claims.filter((claim) => label(claim) === label(root));
  const tried = named.length > 0 ? named : claims.slice(0, 1);
  const found = tried.map((claim) => treeDifference(claim, root, children));
  return found.includes(undefined) ? undefined : found[0];
}

function treeDifference(expected: ExpectedSpan, received: ReceivedSpan, all: Children): string | undefined {
  if (label(expected) !== label(received)) return `expected ${label(expected)}, received ${label(received)}`;
  const attribute = attributeDifference(expected.attributes, received.attributes);
  if (attribute) return `${label(received)}: ${attribute}`;
  const left = byName(all.get(received.spanId) ?? []);
  if (left.length !== expected.children.length)
    return `expected ${expected.children.length} child spans of ${label(received)}, received ${left.length}`;
  // Those of one name arrive in the order in which they ended.
  const isTaken = (child: ExpectedSpan) => {
    const at = left.findIndex((each) => treeDifference(child, each, all) === undefined);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  };
  // What claims most of a span goes first: what claims less fits others, too.
  const claims = ({ attributes, children }: ExpectedSpan) => Object.keys(attributes).length + children.length;
  const strictFirst = expected.children.toSorted((one, other) => claims(other) - claims(one));
  const [missing] = strictFirst.filter((child) => !isTaken(child));
  return missing && treeDifference(missing, left[0] as ReceivedSpan, all);
}

function attributeDifference(expected: ExpectedSpan['attributes'], received: Attributes): string | undefined {
  const name = Object.keys(expected).find((each) => !fits(expected[each], received[each]));
  if (name === undefined) return undefined;
  const wanted = expected[name];
  const words = typeof wanted === 'object' ? `like /${wanted.pattern}/` : JSON.stringify(wanted);
  return `expected ${name} ${words}, received ${JSON.stringify(received[name])?.slice(0, 200) ?? 'none'}`;
}

function metricDifferences(claims: Telemetry[], each: number, points: ReceivedPoint[]): string[] {
  const claimed = claims.flatMap(({ metrics }) => metrics);
  const declared = new Set(claimed.map(({ name }) => name));
  const undeclared = new Set(points.map(({ metric }) => metric)).difference(declared);
  // Claims that differ in nothing but the request that they are about share their data points.
  const series = Map.groupBy(claimed, ({ name, attributes }) => JSON.stringify([name, attributes]));
  const miscounted = [...series.values()].flatMap((same) => {
    const { name, attributes } = same[0] as (typeof claimed)[number];
    const own = points.filter(({ metric }) => metric === name);
    const fitting = own.filter((point) => !attributeDifference(attributes, point.attributes));
    const expected = each * sum(same.map(({ perRequest }) => perRequest));
    const other = own.find((point) => !fitting.includes(point));
    const detail = other ? `; ${attributeDifference(attributes, other.attributes)}` : '';
    const count = sum(fitting.map((point) => point.count));
    return differs(`requests in the metric ${name}`, expected, count).map((text) => text + detail);
  });
  const isClaimed = ({ metric, attributes: received }: ReceivedPoint) =>
    claimed.some(({ name, attributes }) => name === metric && !attributeDifference(attributes, received));
  const others = points.filter((point) => declared.has(point.metric) && point.count !== 0 && !isClaimed(point));
  const more = others.map(
    ({ metric, attributes }) => `received the metric ${metric} also with ${JSON.stringify(attributes).slice(0, 200)}`,
  );
  return [
    ...[...undeclared].map((name) => `received the metric ${name}, which its telemetry neither names nor ignores`),
    ...(miscounted.length > 0 ? miscounted : more),
  ];
}

const label = ({ kind, name }: { kind: string; name: string }) => `${kind} "${name}"`;
