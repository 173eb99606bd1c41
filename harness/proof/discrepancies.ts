import { sum } from 'simple-statistics';
import type { Attributes, ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';
import { apart, type ExpectedSpan, fits, spansPerTrace, type Telemetry } from '../suite/telemetry.ts';
import type { Receiver } from './receiver.ts';
import { byName, byParent, type Children, ofRequests } from './traces.ts';

/** How far the number of sampled traces may lie from the share that is claimed: chance alone does that once in 10,000 proofs. */
const DEVIATIONS = 4;

/** What was claimed of each of so many requests. */
interface Expectation {
  claimed: Telemetry;
  requests: number;
}
/** What came of a server that had at most so many processes. */
export type Arrived = Pick<Receiver, 'spans' | 'points' | 'logs' | 'fault'> & { processes: number };

/** Everything in which what arrived is not what was claimed, in words; empty for a proof. */
export function differences(expectations: Expectation[], arrived: Arrived): string[] {
  const { spans, points, fault } = arrived;
  const claims = expectations.map(({ claimed }) => claimed);
  const isApart = isApartIn(claims);
  return [
    ...(fault === null ? [] : [`something that can't be read arrived (${fault})`]),
    ...spanDifferences(expectations, ofRequests(spans, isApart)),
    ...metricDifferences(expectations, points, isApart),
    ...[...new Set(claims.flatMap(({ atStart }) => atStart))].flatMap((name) => startDifference(name, arrived)),
    ...logDifference(expectations, arrived.logs),
  ];
}

/** Tells by its name what comes without a request. */
export function isApartIn(claims: Telemetry[]): (name: string) => boolean {
  const names = claims.flatMap(apart);
  return (name) => names.some((each) => fits(each, name));
}

function startDifference(name: string, { spans, points, processes }: Arrived): string[] {
  const counts = points.filter(({ metric }) => metric === name).map(({ count }) => count);
  const received = spans.filter((span) => span.name === name).length + sum(counts);
  const expected = `once for each process, of which there were ${processes}`;
  return received >= 1 && received <= processes ? [] : [`expected "${name}" ${expected}, received ${received}`];
}

/** A start may leave records, too. */
function logDifference(expectations: Expectation[], received: number): string[] {
  const expected = sum(expectations.map(({ claimed, requests }) => (claimed.logs?.perRequest ?? 0) * requests));
  const isUnknown = expectations.every(({ claimed }) => !claimed.logs);
  const within = sum(expectations.map(({ requests }) => requests)) - 1;
  if (isUnknown || (received >= expected && received <= expected + within)) return [];
  return [`expected ${expected} log records, received ${received}`];
}

function spanDifferences(expectations: Expectation[], spans: ReceivedSpan[]): string[] {
  const traced = expectations.filter(({ claimed }) => claimed.span);
  if (traced.length === 0)
    return spans.length > 0 ? [`expected no span, received ${spans.length} (${label(spans[0])})`] : [];
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  const total = (count: (each: Expectation) => number) => sum(traced.map(count));
  const each = new Set(traced.map(({ claimed }) => spansPerTrace(claimed)));
  const expectedSpans = total(({ claimed, requests }) => requests * claimed.sampled * spansPerTrace(claimed));
  const expectedTraces = total(({ claimed: { sampled }, requests }) => requests * sampled);
  const variance = total(({ claimed: { sampled }, requests }) => requests * sampled * (1 - sampled));
  const claims = traced.map(({ claimed }) => claimed.span as ExpectedSpan);
  const found = traces.flatMap((trace) => traceDifference(claims, trace) ?? []);
  const wrong = Map.groupBy(found, String);
  const perTrace = each.size === 1 ? `, ${[...each]} a request` : '';
  return [
    // If traces are sampled, each must still have all of its spans.
    ...(variance === 0 ? differs('spans', expectedSpans, spans.length, perTrace) : []),
    ...differs('traces', expectedTraces, traces.length, ', one a request', DEVIATIONS * Math.sqrt(variance)),
    ...differs('span ids', spans.length, new Set(spans.map(({ spanId }) => spanId)).size, ', each once'),
    ...[...wrong].map(([text, { length }]) => `${text} (in ${length} of ${traces.length} traces)`),
  ];
}

function differs(what: string, expected: number, received: number, explained: string, within = 0): string[] {
  if (Math.abs(expected - received) <= within) return [];
  const margin = within > 0 ? ` ± ${Math.floor(within)}` : '';
  return [`expected ${expected}${margin} ${what}${explained}, received ${received}`];
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
  const children = byName(all.get(received.spanId) ?? []);
  if (children.length !== expected.children.length)
    return `expected ${expected.children.length} child spans of ${label(received)}, received ${children.length}`;
  const below = byName(expected.children).map((child, index) =>
    treeDifference(child, children[index] as ReceivedSpan, all),
  );
  return below.find((text) => text !== undefined);
}

function attributeDifference(expected: ExpectedSpan['attributes'], received: Attributes): string | undefined {
  const name = Object.keys(expected).find((each) => !fits(expected[each], received[each]));
  if (name === undefined) return undefined;
  const wanted = expected[name];
  const words = typeof wanted === 'object' ? `like /${wanted.pattern}/` : JSON.stringify(wanted);
  return `expected ${name} ${words}, received ${JSON.stringify(received[name])?.slice(0, 200) ?? 'none'}`;
}

function metricDifferences(expectations: Expectation[], all: ReceivedPoint[], isApart: (name: string) => boolean) {
  const points = all.filter(({ metric }) => !isApart(metric));
  const claims = expectations.flatMap(({ claimed, requests }) =>
    claimed.metrics.map(({ perRequest, ...metric }) => ({ ...metric, requests: perRequest * requests })),
  );
  const declared = new Set(claims.map(({ name }) => name));
  const undeclared = new Set(points.map(({ metric }) => metric)).difference(declared);
  // Claims that differ in nothing but the request that they are about share their data points.
  const series = Map.groupBy(claims, ({ name, attributes }) => JSON.stringify([name, attributes]));
  return [
    ...[...undeclared].map((name) => `received the metric ${name}, which its telemetry neither names nor ignores`),
    ...[...series.values()].flatMap((same) => {
      const { name, attributes } = same[0] as (typeof claims)[number];
      const requests = sum(same.map((each) => each.requests));
      const own = points.filter(({ metric }) => metric === name);
      const fitting = own.filter((point) => !attributeDifference(attributes, point.attributes));
      const count = sum(fitting.map((point) => point.count));
      const other = own.find((point) => !fitting.includes(point));
      const detail = other ? `; ${attributeDifference(attributes, other.attributes)}` : '';
      return differs(`requests in the metric ${name}`, requests, count, '').map((text) => text + detail);
    }),
  ];
}

function label(span: { kind: string; name: string } | undefined): string {
  return span ? `${span.kind} "${span.name}"` : 'none';
}
