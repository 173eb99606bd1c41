import { sum } from 'simple-statistics';
import type { Attributes, ReceivedPoint, ReceivedSpan } from '../sink/protocols/protocol.ts';
import type { SpanInput, TelemetryInput } from '../suite/suite-schema.ts';
import { flattenSpan } from '../suite/telemetry.ts';
import type { Arrived } from './arrived.ts';
import { buildSpanTrees, type SpanTree } from './span-tree.ts';

/** A metric that rises by more than this for each request counts something else, such as bytes. */
const MAX_PER_REQUEST = 10;
/** Attributes that another machine, or a newer package, has with other values. */
const MACHINE_ATTRIBUTES = [
  /^(device|os|host|process|culture|telemetry|service|container)\./,
  /^sentry\.(sdk|release|environment)/,
  /version$/,
];

type MetricInput = NonNullable<TelemetryInput['metrics']>[number];

/**
 * Returns the telemetry that a suite may claim, by what arrived of so many requests of one kind,
 * over several starts of the server. Attributes are those that were always the same: ports and ids
 * are not.
 */
export function describeTelemetry(starts: Arrived[], requests: number): TelemetryInput {
  const processes = sum(starts.map((start) => start.processes));
  const { span, traces, others } = describeSpans(
    starts.flatMap((start) => start.spans),
    processes,
  );
  const points = starts.flatMap((start) => start.points);
  const metrics = describeMetrics(points, requests);
  const logs = starts.flatMap((start) => start.logs);
  // Of a traced request, only records with its trace can be claimed.
  const claimableLogs = span ? logs.filter((isTraced) => isTraced) : logs;
  const logsPerRequest = Math.floor(claimableLogs.length / requests);
  const atStart = others.filter(({ count }) => count <= processes).map(({ name }) => name);
  const uncounted = metrics.filter((metric) => !countsRequests(metric));
  const ignore = [...others, ...uncounted].map(({ name }) => name);
  return withoutEmptyLists({
    ...(span && { span }),
    ...(span && traces < requests && { sampled: roundToHundredths(traces / requests) }),
    metrics: metrics.filter(countsRequests),
    ...(logsPerRequest > 0 && { logs: { perRequest: logsPerRequest } }),
    ...(starts.some(({ profiles }) => profiles > 0) && { profiles: true }),
    atStart,
    ignore: ignore.filter((name) => !atStart.includes(name)),
  });
}

function roundToHundredths(value: number): number {
  return Math.round(100 * value) / 100;
}

function withoutEmptyLists(telemetry: TelemetryInput): TelemetryInput {
  const entries = Object.entries(telemetry);
  return Object.fromEntries(
    entries.filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

/** Spans of one name. */
interface NamedSpans {
  name: string;
  count: number;
}

interface DescribedSpans {
  /** The tree that most requests leave; undefined if requests leave no span. */
  span: SpanInput | undefined;
  /** The number of traces without the other spans. */
  traces: number;
  /** Spans that come without a request, or also without one, and those nested in them. */
  others: NamedSpans[];
}

function describeSpans(spans: ReceivedSpan[], processes: number): DescribedSpans {
  const names = namesOfRequests(buildSpanTrees(spans), processes);
  const byName = Map.groupBy(spans, ({ name }) => name);
  const ignored = [...byName.keys()].filter((name) => !names.has(name));
  const traces = buildSpanTrees(spans, ignored);
  // Under load spans are counted by their names, so those nested in ignored ones are ignored, too.
  const kept = new Set(traces.flatMap((tree) => flattenSpan(tree)).map(({ name }) => name));
  const others = [...byName]
    .filter(([name]) => !kept.has(name))
    .map(([name, { length }]) => ({ name, count: length }));
  const [mostFrequent] = groupByShape(traces);
  return { span: mostFrequent && describeTrees(mostFrequent), traces: traces.length, others };
}

/** Returns the names of the spans that a request leaves, and that come in no other way. */
function namesOfRequests(trees: SpanTree[], processes: number): Set<string> {
  // What comes no more often than there are processes comes as they start.
  const [root] = groupByShape(trees).find(({ length }) => length > processes) ?? [];
  const names = new Set(root && flattenSpan(root).map(({ name }) => name));
  // What is also a root of its own can't be told from what a request leaves: Next.js loads modules
  // as it starts, for example.
  for (const { name } of trees) if (name !== root?.name) names.delete(name);
  return names;
}

/**
 * Groups the trees by their shape. Those of servers' spans come first, and then the most frequent.
 */
function groupByShape(trees: SpanTree[]): SpanTree[][] {
  const groups = Map.groupBy(trees, (tree) => JSON.stringify(shapeOf(tree)));
  const rank = (group: SpanTree[]) => {
    const isOfServer = group[0]?.kind === 'SERVER';
    return isOfServer ? trees.length + group.length : group.length;
  };
  return [...groups.values()].sort((one, other) => rank(other) - rank(one));
}

function shapeOf({ kind, name, children }: SpanTree): unknown {
  return [kind, name, children.map(shapeOf)];
}

/** Returns what trees of one shape have in common. */
function describeTrees(trees: SpanTree[]): SpanInput {
  const [{ name, kind, children }] = trees as [SpanTree];
  const describedChildren = children.map((_, index) =>
    describeTrees(trees.map((tree) => tree.children[index] as SpanTree)),
  );
  return {
    name,
    kind,
    ...commonAttributes(trees),
    ...(describedChildren.length > 0 && { children: describedChildren }),
  };
}

function describeMetrics(points: ReceivedPoint[], requests: number): MetricInput[] {
  return [...Map.groupBy(points, ({ metric }) => metric)].map(([name, ofMetric]) => {
    const perRequest = sum(ofMetric.map(({ count }) => count)) / requests;
    return {
      name,
      ...(perRequest !== 1 && { perRequest }),
      ...commonAttributes(ofMetric),
    };
  });
}

function countsRequests({ perRequest = 1 }: MetricInput): boolean {
  return Number.isInteger(perRequest) && perRequest >= 0 && perRequest <= MAX_PER_REQUEST;
}

type Scalar = string | number | boolean;

/**
 * Returns the attributes that all have with the same value, on any machine, and that a suite can
 * name.
 */
function commonAttributes(all: { attributes: Attributes }[]): Pick<SpanInput, 'attributes'> {
  const candidates = Object.entries(all[0]?.attributes ?? {});
  const common = candidates.filter(
    (attribute): attribute is [string, Scalar] =>
      isScalar(attribute[1]) && !isOfMachine(attribute[0]) && haveAll(all, attribute),
  );
  return common.length > 0 ? { attributes: Object.fromEntries(common) } : {};
}

function isOfMachine(name: string): boolean {
  return MACHINE_ATTRIBUTES.some((pattern) => pattern.test(name));
}

function haveAll(all: { attributes: Attributes }[], [name, value]: [string, unknown]): boolean {
  return all.every(({ attributes }) => attributes[name] === value);
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
