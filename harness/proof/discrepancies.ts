import { sum } from 'simple-statistics';
import type { Attributes, ReceivedPoint } from '../sink/protocols/protocol.ts';
import {
  type ExpectedSpan,
  flattenSpan,
  matchesAnyName,
  matchesValue,
  namesWithoutRequest,
  type Telemetry,
} from '../suite/telemetry.ts';
import type { Recorder } from './recorder.ts';
import { buildSpanTrees, type SpanTree } from './span-tree.ts';

/** How far the number of sampled traces may lie from the share that is claimed: chance alone does that once in 10,000 proofs. */
const DEVIATIONS = 4;

/** What came of a server that had at most so many processes. */
export type Arrived = Pick<Recorder, 'spans' | 'points' | 'logs' | 'fault'> & { processes: number };

/** All in which what arrived is not what was claimed of so many requests each, in words; empty for a proof. */
export function findDiscrepancies(claims: Telemetry[], each: number, arrived: Arrived): string[] {
  const { spans, points, logs, fault } = arrived;
  const names = namesWithoutRequest(claims);
  const own = points.filter(({ metric }) => !matchesAnyName(names, metric));
  return [
    ...(fault === null ? [] : [`something that can't be read arrived (${fault})`]),
    ...spanDifferences(claims, each, buildSpanTrees(spans, names)),
    ...metricDifferences(claims, each, own),
    ...startDifferences(claims, arrived),
    ...logDifference(claims, each, logs),
  ];
}

function differs(what: string, received: number, least: number, most = least): string[] {
  const expected = least === most ? least : `${least} to ${most}`;
  return received >= least && received <= most
    ? []
    : [`expected ${expected} ${what}, received ${received}`];
}

function startDifferences(claims: Telemetry[], arrived: Arrived): string[] {
  const points = arrived.points.map(({ metric, count }) => ({ name: metric, count }));
  const all = [...points, ...arrived.spans.map(({ name }) => ({ name, count: 1 }))];
  return [...new Set(claims.flatMap(({ atStart }) => atStart))].flatMap((name) => {
    const received = sum(all.filter((each) => each.name === name).map(({ count }) => count));
    return differs(`"${name}", at most one for each process`, received, 0, arrived.processes);
  });
}

/** Those of traced requests have their trace. A start may leave some without, too: fewer than there are requests. */
function logDifference(claims: Telemetry[], each: number, logs: boolean[]): string[] {
  if (claims.every((claim) => !claim.logs)) return [];
  const expected = each * sum(claims.map((claim) => claim.logs?.perRequest ?? 0));
  if (claims.every(({ span, sampled }) => span && sampled === 1))
    return differs('log records with a trace', logs.filter(Boolean).length, expected);
  return differs('log records', logs.length, expected, expected + each * claims.length - 1);
}

function spanDifferences(claims: Telemetry[], each: number, trees: SpanTree[]): string[] {
  const traced = claims.filter(({ span }) => span);
  const roots = traced.flatMap(({ span }) => span ?? []);
  const wrong = Map.groupBy(trees, (tree) => rootDifference(roots, tree));
  wrong.delete(undefined);
  const total = (count: (claim: Telemetry) => number) => each * sum(traced.map(count));
  const traces = total(({ sampled }) => sampled);
  const within = DEVIATIONS * Math.sqrt(total(({ sampled }) => sampled * (1 - sampled)));
  const expected = total(({ sampled, span }) => (span ? sampled * flattenSpan(span).length : 0));
  return [
    // If traces are sampled, each must still have all of its spans.
    ...(within === 0 ? differs('spans', trees.flatMap(flattenSpan).length, expected) : []),
    ...differs(
      'traces, one a request',
      trees.length,
      Math.ceil(traces - within),
      Math.floor(traces + within),
    ),
    ...[...wrong].map(([text, { length }]) => `${text} (in ${length} of ${trees.length} traces)`),
  ];
}

/** Why a trace fits no claim whose root has its name; undefined if it fits one. */
function rootDifference(claims: ExpectedSpan[], root: SpanTree): string | undefined {
  const named = claims.filter((claim) => label(claim) === label(root));
  const found = named.map((claim) => treeDifference(claim, root));
  if (found.length === 0) return `received ${label(root)}, which none of its telemetry begins with`;
  return found.includes(undefined) ? undefined : found[0];
}

function treeDifference(expected: ExpectedSpan, received: SpanTree): string | undefined {
  if (label(expected) !== label(received))
    return `expected ${label(expected)}, received ${label(received)}`;
  const attribute = attributeDifference(expected.attributes, received.attributes);
  if (attribute) return `${label(received)}: ${attribute}`;
  const left = [...received.children];
  if (left.length !== expected.children.length)
    return `expected ${expected.children.length} child spans of ${label(received)}, received ${left.length}`;
  // What claims most of a span goes first: what claims less fits others, too.
  const strictness = ({ attributes, children }: ExpectedSpan) =>
    Object.keys(attributes).length + children.length;
  for (const child of expected.children.toSorted(
    (one, other) => strictness(other) - strictness(one),
  )) {
    const found = left.map((each) => treeDifference(child, each));
    const at = found.indexOf(undefined);
    if (at < 0) return found[0];
    left.splice(at, 1);
  }
}

function attributeDifference(
  expected: ExpectedSpan['attributes'],
  received: Attributes,
): string | undefined {
  const name = Object.keys(expected).find((each) => !matchesValue(expected[each], received[each]));
  if (name === undefined) return undefined;
  const wanted = expected[name];
  const words = typeof wanted === 'object' ? `like /${wanted.pattern}/` : JSON.stringify(wanted);
  return `expected ${name} ${words}, received ${JSON.stringify(received[name])?.slice(0, 200) ?? 'none'}`;
}

function metricDifferences(claims: Telemetry[], each: number, points: ReceivedPoint[]): string[] {
  const claimed = claims.flatMap(({ metrics }) => metrics);
  const isOf = ({ name, attributes }: Claimed, point: ReceivedPoint) =>
    point.metric === name && !attributeDifference(attributes, point.attributes);
  // Claims that differ in nothing but the request that they are about share their data points.
  const series = Map.groupBy(claimed, ({ name, attributes }) => JSON.stringify([name, attributes]));
  const miscounted = [...series.values()].flatMap((same) => {
    const [metric] = same as [Claimed];
    const received = sum(points.filter((point) => isOf(metric, point)).map(({ count }) => count));
    const expected = each * sum(same.map(({ perRequest }) => perRequest));
    return differs(`requests in the metric ${metric.name}`, received, expected);
  });
  // What goes up and down may have other attributes in a series that ended at 0.
  const isMore = (point: ReceivedPoint) =>
    !claimed.some(
      (metric) => isOf(metric, point) || (point.count === 0 && point.metric === metric.name),
    );
  const more = Map.groupBy(points.filter(isMore), ({ metric }) => metric);
  const unclaimed = [...more].map(([name, [first]]) => {
    const attributes = JSON.stringify(first?.attributes).slice(0, 200);
    return `received the metric ${name} with ${attributes}, which its telemetry neither names nor ignores`;
  });
  return [...miscounted, ...unclaimed];
}

type Claimed = Telemetry['metrics'][number];

const label = ({ kind, name }: { kind: string; name: string }) => `${kind} "${name}"`;
