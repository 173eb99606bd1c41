import { sum } from 'simple-statistics';
import type { Attributes, ReceivedPoint, ReceivedSpan } from '../sink/protocols/protocol.ts';
import {
  type ExpectedAttributes,
  type ExpectedMetric,
  type ExpectedSpan,
  flattenSpan,
  matchesAnyName,
  matchesValue,
  namesWithoutRequest,
  type Telemetry,
} from '../suite/telemetry.ts';
import type { Arrived } from './arrived.ts';
import { buildSpanTrees, type SpanTree } from './span-tree.ts';

/**
 * The number of sampled traces may lie so many standard deviations from what is expected. Chance
 * alone exceeds that once in 10,000 proofs.
 */
const MAX_DEVIATIONS = 4;
const MAX_VALUE_LENGTH = 200;

/**
 * Returns all in which what arrived differs from what was claimed, in words; nothing for a proof.
 * @param claims the telemetry of each kind of request
 * @param requestsEach the number of requests of each kind
 */
export function findDiscrepancies(
  claims: Telemetry[],
  requestsEach: number,
  arrived: Arrived,
): string[] {
  const { spans, points, logs, profiles, fault } = arrived;
  const ignored = namesWithoutRequest(claims);
  const trees = buildSpanTrees(spans, ignored);
  const pointsOfRequests = points.filter(({ metric }) => !matchesAnyName(ignored, metric));
  return [
    ...(fault === null ? [] : [`something that can't be read arrived (${fault})`]),
    ...spanDiscrepancies(claims, requestsEach, trees),
    ...metricDiscrepancies(claims, requestsEach, pointsOfRequests),
    ...startDiscrepancies(claims, arrived),
    ...logDiscrepancies(claims, requestsEach, logs),
    ...profileDiscrepancies(claims, profiles),
  ];
}

function countDiscrepancy(
  what: string,
  received: number,
  least: number,
  most: number = least,
): string[] {
  if (received >= least && received <= most) return [];
  const expected = least === most ? least : `${least} to ${most}`;
  return [`expected ${expected} ${what}, received ${received}`];
}

function spanDiscrepancies(claims: Telemetry[], requestsEach: number, trees: SpanTree[]): string[] {
  return [
    ...traceCountDiscrepancies(claims, requestsEach, trees),
    ...traceDiscrepancies(claims, trees),
  ];
}

/**
 * Without sampling, spans and traces have exact numbers. Else chance says how many traces there
 * are.
 */
function traceCountDiscrepancies(
  claims: Telemetry[],
  requestsEach: number,
  trees: SpanTree[],
): string[] {
  const traced = claims.filter(({ span }) => span);
  const traces = requestsEach * sum(traced.map(({ sampled }) => sampled));
  const variance = requestsEach * sum(traced.map(({ sampled }) => sampled * (1 - sampled)));
  const { least, most } = tracesWithin(traces, variance);
  const spans = requestsEach * sum(traced.map((claim) => claim.sampled * spansPerTrace(claim)));
  const receivedSpans = trees.flatMap((tree) => flattenSpan(tree)).length;
  return [
    ...(variance === 0 ? countDiscrepancy('spans', receivedSpans, spans) : []),
    ...countDiscrepancy('traces, one a request', trees.length, least, most),
  ];
}

/** Returns between which numbers of traces chance leaves them. */
export function tracesWithin(expected: number, variance: number): { least: number; most: number } {
  const margin = MAX_DEVIATIONS * Math.sqrt(variance);
  return { least: Math.ceil(expected - margin), most: Math.floor(expected + margin) };
}

function spansPerTrace({ span }: Telemetry): number {
  return span ? flattenSpan(span).length : 0;
}

/** Also where traces are sampled, each must have all of its spans. */
function traceDiscrepancies(claims: Telemetry[], trees: SpanTree[]): string[] {
  const roots = claims.flatMap(({ span }) => span ?? []);
  const treesByMismatch = Map.groupBy(trees, (tree) => traceMismatch(roots, tree));
  treesByMismatch.delete(undefined);
  return [...treesByMismatch].map(
    ([mismatch, { length }]) => `${mismatch} (in ${length} of ${trees.length} traces)`,
  );
}

/** Returns why a trace matches no claim whose root has its name; undefined if it matches one. */
function traceMismatch(expectedRoots: ExpectedSpan[], root: SpanTree): string | undefined {
  const candidates = expectedRoots.filter((expected) => labelOf(expected) === labelOf(root));
  if (candidates.length === 0)
    return `received ${labelOf(root)}, which none of its telemetry begins with`;
  const mismatches = candidates.map((expected) => treeMismatch(expected, root));
  return mismatches.includes(undefined) ? undefined : mismatches[0];
}

function treeMismatch(expected: ExpectedSpan, received: SpanTree): string | undefined {
  const label = labelOf(received);
  if (labelOf(expected) !== label) return `expected ${labelOf(expected)}, received ${label}`;
  const attribute = attributeMismatch(expected.attributes, received.attributes);
  if (attribute !== undefined) return `${label}: ${attribute}`;
  const wanted = expected.children.length;
  const found = received.children.length;
  if (wanted !== found) return `expected ${wanted} child spans of ${label}, received ${found}`;
  return childrenMismatch(expected.children, received.children);
}

/**
 * Finds a span for each expected one: the strictest first, since what claims less matches others,
 * too.
 */
function childrenMismatch(expected: ExpectedSpan[], received: SpanTree[]): string | undefined {
  const left = [...received];
  for (const child of expected.toSorted((one, other) => strictness(other) - strictness(one))) {
    const match = left.findIndex((each) => treeMismatch(child, each) === undefined);
    if (match < 0) return treeMismatch(child, nearestTo(child, expected, left));
    left.splice(match, 1);
  }
  return undefined;
}

/**
 * Returns the span that most likely stands for one that was expected: one that is no other expected
 * span, with its label if there is one.
 */
function nearestTo(child: ExpectedSpan, expected: ExpectedSpan[], left: SpanTree[]): SpanTree {
  const isExpected = (span: SpanTree) =>
    expected.some((each) => treeMismatch(each, span) === undefined);
  const unclaimed = left.filter((span) => !isExpected(span));
  const candidates = unclaimed.length > 0 ? unclaimed : left;
  const alike = candidates.find((span) => labelOf(span) === labelOf(child));
  return alike ?? (candidates[0] as SpanTree);
}

function strictness({ attributes, children }: ExpectedSpan): number {
  return Object.keys(attributes).length + children.length;
}

function attributeMismatch(expected: ExpectedAttributes, received: Attributes): string | undefined {
  const name = Object.keys(expected).find((each) => !matchesValue(expected[each], received[each]));
  if (name === undefined) return undefined;
  const value = expected[name];
  const wanted = typeof value === 'object' ? `like /${value.pattern}/` : JSON.stringify(value);
  const found = JSON.stringify(received[name])?.slice(0, MAX_VALUE_LENGTH) ?? 'none';
  return `expected ${name} ${wanted}, received ${found}`;
}

function labelOf({ kind, name }: ExpectedSpan | ReceivedSpan): string {
  return `${kind} "${name}"`;
}

function metricDiscrepancies(
  claims: Telemetry[],
  requestsEach: number,
  points: ReceivedPoint[],
): string[] {
  const expected = claims.flatMap(({ metrics }) => metrics);
  return [
    ...metricCountDiscrepancies(expected, requestsEach, points),
    ...unclaimedMetrics(expected, points),
  ];
}

function metricCountDiscrepancies(
  expected: ExpectedMetric[],
  requestsEach: number,
  points: ReceivedPoint[],
): string[] {
  // Claims that differ in nothing but the request that they are about share their data points.
  const alike = Map.groupBy(expected, ({ name, attributes }) => JSON.stringify([name, attributes]));
  return [...alike.values()].flatMap((metrics) => {
    const [metric] = metrics as [ExpectedMetric];
    const matching = points.filter((point) => isPointOf(metric, point));
    const received = sum(matching.map(({ count }) => count));
    const wanted = requestsEach * sum(metrics.map(({ perRequest }) => perRequest));
    return countDiscrepancy(`requests in the metric ${metric.name}`, received, wanted);
  });
}

function unclaimedMetrics(expected: ExpectedMetric[], points: ReceivedPoint[]): string[] {
  const unclaimed = points.filter((point) => !isClaimed(expected, point));
  return [...Map.groupBy(unclaimed, ({ metric }) => metric)].map(([name, [first]]) => {
    const attributes = JSON.stringify(first?.attributes).slice(0, MAX_VALUE_LENGTH);
    return (
      `received the metric ${name} with ${attributes}, ` +
      'which its telemetry neither names nor ignores'
    );
  });
}

/** What goes up and down may have other attributes in a series that ended at 0. */
function isClaimed(expected: ExpectedMetric[], point: ReceivedPoint): boolean {
  const endedAtZero = point.count === 0;
  return expected.some(
    (metric) => isPointOf(metric, point) || (endedAtZero && point.metric === metric.name),
  );
}

function isPointOf({ name, attributes }: ExpectedMetric, point: ReceivedPoint): boolean {
  const hasAttributes = attributeMismatch(attributes, point.attributes) === undefined;
  return point.metric === name && hasAttributes;
}

function startDiscrepancies(claims: Telemetry[], arrived: Arrived): string[] {
  const names = new Set(claims.flatMap(({ atStart }) => atStart));
  return [...names].flatMap((name) => {
    const spans = arrived.spans.filter((span) => span.name === name);
    const points = arrived.points.filter(({ metric }) => metric === name);
    const received = spans.length + sum(points.map(({ count }) => count));
    const what = `"${name}", at most one for each process`;
    return countDiscrepancy(what, received, 0, arrived.processes);
  });
}

/**
 * The log records of traced requests have their trace. Those of others can't be told from the ones
 * that a start leaves: fewer than there are requests.
 */
function logDiscrepancies(claims: Telemetry[], requestsEach: number, logs: boolean[]): string[] {
  if (claims.every((claim) => !claim.logs)) return [];
  const expected = requestsEach * sum(claims.map((claim) => claim.logs?.perRequest ?? 0));
  const areAllTraced = claims.every(({ span, sampled }) => span && sampled === 1);
  if (areAllTraced)
    return countDiscrepancy('log records with a trace', logs.filter(Boolean).length, expected);
  const most = expected + requestsEach * claims.length - 1;
  return countDiscrepancy('log records', logs.length, expected, most);
}

/** Profiles come by the clock, so any number of them will do. */
function profileDiscrepancies(claims: Telemetry[], profiles: number): string[] {
  const areClaimed = claims.some((claim) => claim.profiles);
  if (areClaimed) return profiles > 0 ? [] : ['expected profiles, received none'];
  return countDiscrepancy('profiles', profiles, 0);
}
