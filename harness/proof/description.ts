import { sum } from 'simple-statistics';
import type { Attributes, ReceivedSpan } from '../sink/protocols/protocol.ts';
import type { SpanInput, TelemetryInput } from '../suite/suite-schema.ts';
import { flattenSpan } from '../suite/telemetry.ts';
import type { Arrived } from './discrepancies.ts';
import { buildSpanTrees, type SpanTree } from './span-tree.ts';

/** What counts more than this for each request is something else: a number of bytes, say. */
const MAX_PER_REQUEST = 10;

/**
 * The telemetry that a suite may claim, by what arrived of so many requests of one kind, over several starts of the
 * server: attributes are those that were always the same, as ports and ids are not.
 */
export function describeTelemetry(seen: Arrived[], requests: number): TelemetryInput {
  const processes = sum(seen.map((each) => each.processes));
  const spans = seen.flatMap((each) => each.spans);
  const { span, count, apart } = spansOf(spans, processes);
  const points = seen.flatMap((each) => each.points);
  const metrics = [...Map.groupBy(points, ({ metric }) => metric)].map(([name, all]) => {
    const perRequest = sum(all.map((point) => point.count)) / requests;
    return { name, ...(perRequest !== 1 && { perRequest }), ...common(all) };
  });
  const isCount = ({ perRequest = 1 }: { perRequest?: number }) =>
    Number.isInteger(perRequest) && perRequest >= 0 && perRequest <= MAX_PER_REQUEST;
  // Of a traced request, only records with its trace can be claimed.
  const logs = seen.flatMap((each) => each.logs).filter((isTraced) => isTraced || !span);
  const logsPerRequest = Math.floor(logs.length / requests);
  const atStart = apart.filter(([, { length }]) => length <= processes).map(([name]) => name);
  const others = [
    ...apart.map(([name]) => name),
    ...metrics.filter((each) => !isCount(each)).map(({ name }) => name),
  ];
  const found = {
    ...(span && { span }),
    ...(span && count < requests && { sampled: Math.round((100 * count) / requests) / 100 }),
    metrics: metrics.filter(isCount),
    ...(logsPerRequest > 0 && { logs: { perRequest: logsPerRequest } }),
    atStart,
    ignore: others.filter((name) => !atStart.includes(name)),
  };
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

/** The tree that most requests leave, how many traces begin with its root, and the spans of other names, by name. */
function spansOf(spans: ReceivedSpan[], processes: number) {
  const trees = buildSpanTrees(spans);
  // What comes no more often than there are processes comes as they start.
  const [first] = alike(trees).find(({ length }) => length > processes) ?? [];
  const names = new Set(first && flattenSpan(first).map(({ name }) => name));
  // What also comes by itself, as Next's modules that load at its start do, can't be told from what a request leaves.
  for (const { name } of trees) if (name !== first?.name) names.delete(name);
  const apart = [...Map.groupBy(spans, ({ name }) => name)].filter(([name]) => !names.has(name));
  const without = apart.map(([name]) => name);
  const own = buildSpanTrees(spans, without);
  const [most] = alike(own);
  return { span: most && describe(most), count: own.length, apart };
}

/** The trees of each shape: those of servers' spans, and then those of the most, come first. */
function alike(trees: SpanTree[]): SpanTree[][] {
  const shapeOf = ({ kind, name, children }: SpanTree): unknown => [
    kind,
    name,
    children.map(shapeOf),
  ];
  const shapes = Map.groupBy(trees, (tree) => JSON.stringify(shapeOf(tree)));
  const rank = (same: SpanTree[]) => (same[0]?.kind === 'SERVER' ? trees.length : 0) + same.length;
  return [...shapes.values()].sort((one, other) => rank(other) - rank(one));
}

/** What trees of one shape have in common. */
function describe(same: SpanTree[]): SpanInput {
  const [{ name, kind, children }] = same as [SpanTree];
  const inner = children.map((_, index) =>
    describe(same.map((each) => each.children[index] as SpanTree)),
  );
  return { name, kind, ...common(same), ...(inner.length > 0 && { children: inner }) };
}

/** Attributes that another machine, or a newer package, has with other values. */
const OF_PLACE =
  /^(device|os|host|process|culture|telemetry|service|container)\.|^sentry\.(sdk|release|environment)|version$/;

/** The attributes that all of them have with the same value, on any machine, and that a suite can name. */
function common(all: { attributes: Attributes }[]): Pick<SpanInput, 'attributes'> {
  const isCommon = ([name, value]: [string, unknown]) =>
    ['string', 'number', 'boolean'].includes(typeof value) &&
    !OF_PLACE.test(name) &&
    all.every(({ attributes }) => attributes[name] === value);
  const attributes = Object.entries(all[0]?.attributes ?? {}).filter(isCommon);
  return attributes.length > 0
    ? { attributes: Object.fromEntries(attributes) as SpanInput['attributes'] }
    : {};
}
