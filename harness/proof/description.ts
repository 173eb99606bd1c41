import { sum } from 'simple-statistics';
import type { Attributes, ReceivedSpan } from '../sink/protocol.ts';
import type { SpanInput, TelemetryInput } from '../suite/suite-schema.ts';
import type { Arrived } from './discrepancies.ts';
import { byName, byParent, withNested } from './traces.ts';

/** What counts more than this for each request is something else: a number of bytes, say. */
const MAX_PER_REQUEST = 10;

/**
 * The telemetry that a suite may claim, by what arrived of so many requests of one kind, over several starts of the
 * server: attributes are those that were always the same, as ports and ids are not.
 */
export function described(seen: Arrived[], requests: number): TelemetryInput {
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
  const logs = Math.floor(sum(seen.map(({ logs }) => logs.traced || (span ? 0 : logs.others))) / requests);
  const started = [...apart].filter(([, { length }]) => length <= processes).map(([name]) => name);
  const others = [...apart.keys(), ...metrics.filter((each) => !isCount(each)).map(({ name }) => name)];
  const found = {
    ...(span && { span }),
    ...(span && count < requests && { sampled: Math.round((100 * count) / requests) / 100 }),
    metrics: metrics.filter(isCount),
    ...(logs > 0 && { logs: { perRequest: logs } }),
    atStart: started,
    ignore: others.filter((name) => !started.includes(name)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

/** The tree that most requests leave, how many traces begin with its root, and the spans of other names. */
function spansOf(all: ReceivedSpan[], processes: number) {
  const byId = new Map(all.map((span) => [span.spanId, span]));
  const children = byParent([...byId.values()]);
  const roots = children.get(undefined) ?? [];
  const nested = (span: ReceivedSpan) => byName(children.get(span.spanId) ?? []);
  const shapeOf = (span: ReceivedSpan): unknown => [span.kind, span.name, nested(span).map(shapeOf)];
  const shapes = [...Map.groupBy(roots, (root) => JSON.stringify(shapeOf(root))).values()];
  const rank = ([first, ...others]: ReceivedSpan[]) => (first?.kind === 'SERVER' ? all.length : 0) + others.length;
  // What comes no more often than there are processes comes as they start.
  const often = shapes.filter(({ length }) => length > processes);
  const [most = []] = often.sort((one, other) => rank(other) - rank(one));
  const names = new Set([...withNested(most.slice(0, 1), children)].map(({ name }) => name));
  // What also comes by itself, as Next's modules that load at its start do, can't be told from what a request leaves.
  for (const { name } of roots) if (name !== most[0]?.name) names.delete(name);
  const isOf = (span: ReceivedSpan | undefined) => span !== undefined && names.has(span.name);
  const apart = all.filter((span) => {
    const parent = byId.get(span.parentSpanId ?? '');
    return !isOf(span) && (!parent || isOf(parent));
  });
  const describe = (same: ReceivedSpan[]): SpanInput => {
    const { name, kind } = same[0] as ReceivedSpan;
    const below = same.map((each) => nested(each).filter(isOf));
    const inner = (below[0] ?? []).map((_, index) => describe(below.map((each) => each[index] as ReceivedSpan)));
    return { name, kind, ...common(same), ...(inner.length > 0 && { children: inner }) };
  };
  return {
    span: most.length > 0 ? describe(most) : undefined,
    count: roots.filter(({ name }) => name === most[0]?.name).length,
    apart: Map.groupBy(apart, ({ name }) => name),
  };
}

/** Attributes that another machine, or a newer package, has with other values. */
const OF_PLACE =
  /^(device|os|host|process|culture|telemetry|service|container)\.|^sentry\.(sdk|release|environment)|version$/;

/** The attributes that all of them have with the same value, on any machine, and that a suite can name. */
function common(all: { attributes: Attributes }[]) {
  const [first] = all;
  const isCommon = ([name, value]: [string, unknown]) =>
    typeof value !== 'object' && value !== undefined && all.every(({ attributes }) => attributes[name] === value);
  const isClaimable = (each: [string, unknown]) => !OF_PLACE.test(each[0]) && isCommon(each);
  const attributes = Object.fromEntries(Object.entries(first?.attributes ?? {}).filter(isClaimable));
  return Object.keys(attributes).length > 0 ? { attributes: attributes as NonNullable<SpanInput['attributes']> } : {};
}
