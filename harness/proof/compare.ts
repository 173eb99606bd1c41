import { type ExpectedSpan, spansPerRequest, type Telemetry } from '../suite/schema.ts';
import type { Attributes, ReceivedSpan } from './otlp.ts';
import type { Received } from './receiver.ts';

/** Everything in which what arrived is not what was claimed for so many requests, in words; empty for a proof. */
export function differences(expected: Telemetry, received: Received, requests: number): string[] {
  return [
    ...received.malformed.map((reason) => `something that is no OTLP arrived (${reason})`),
    ...spanDifferences(expected, received.spans, requests),
    ...metricDifferences(expected, received.points, requests),
  ];
}

function spanDifferences(expected: Telemetry, spans: ReceivedSpan[], requests: number): string[] {
  const { span } = expected;
  if (!span)
    return spans.length > 0 ? [`expected no span, received ${spans.length} (${label(spans[0])})`] : [];
  const traces = [...Map.groupBy(spans, ({ traceId }) => traceId).values()];
  const each = spansPerRequest(expected);
  const all = [
    ...differs('spans', requests * each, spans.length, `, ${each} a request`),
    ...differs('traces', requests, traces.length, ', one a request'),
    ...differs('span ids', spans.length, new Set(spans.map(({ spanId }) => spanId)).size, ', each once'),
  ];
  const astray = Map.groupBy(traces.map((trace) => traceDifference(span, trace)).filter(isText), String);
  return [
    ...all,
    ...[...astray].map(([text, list]) => `${text} (in ${list.length} of ${traces.length} traces)`),
  ];
}

function differs(what: string, expected: number, received: number, explained: string): string[] {
  return expected === received ? [] : [`expected ${expected} ${what}${explained}, received ${received}`];
}

function isText(value: string | undefined): value is string {
  return value !== undefined;
}

/** The first difference between the tree and the spans of one trace; undefined where there is none. */
function traceDifference(expected: ExpectedSpan, trace: ReceivedSpan[]): string | undefined {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const roots = trace.filter(({ parentSpanId }) => parentSpanId === undefined);
  const lost = trace.find(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId));
  if (lost) return `the parent of ${label(lost)} did not arrive`;
  if (roots.length !== 1) return `expected one span without a parent, received ${roots.length}`;
  const children = Map.groupBy(trace, ({ parentSpanId }) => parentSpanId);
  return treeDifference(expected, roots[0] as ReceivedSpan, children);
}

function treeDifference(
  expected: ExpectedSpan,
  received: ReceivedSpan,
  childrenOf: Map<string | undefined, ReceivedSpan[]>,
): string | undefined {
  if (label(expected) !== label(received)) return `expected ${label(expected)}, received ${label(received)}`;
  const attribute = attributeDifference(expected.attributes, received.attributes);
  if (attribute) return `${label(received)}: ${attribute}`;
  const children = byName(childrenOf.get(received.spanId) ?? []);
  if (children.length !== expected.children.length) {
    return `expected ${expected.children.length} spans below ${label(received)}, received ${children.length}`;
  }
  return byName(expected.children)
    .map((child, index) => treeDifference(child, children[index] as ReceivedSpan, childrenOf))
    .find(isText);
}

function byName<T extends { name: string }>(spans: T[]): T[] {
  return spans.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function attributeDifference(expected: Attributes, received: Attributes): string | undefined {
  const name = Object.keys(expected).find((each) => expected[each] !== received[each]);
  if (name === undefined) return undefined;
  return `expected ${name} ${JSON.stringify(expected[name])}, received ${JSON.stringify(received[name]) ?? 'none'}`;
}

function metricDifferences({ metrics }: Telemetry, points: Received['points'], requests: number): string[] {
  const undeclared = new Set(
    points.map(({ metric }) => metric).filter((name) => !metrics.some((each) => each.name === name)),
  );
  return [
    ...[...undeclared].map((name) => `received the metric ${name}, which is not expected`),
    ...metrics.flatMap(({ name, attributes }) => {
      const own = points.filter(({ metric }) => metric === name);
      const fitting = own.filter((point) => !attributeDifference(attributes, point.attributes));
      const count = fitting.reduce((sum, point) => sum + point.count, 0);
      const other = own.find((point) => !fitting.includes(point));
      const detail = other ? `; ${attributeDifference(attributes, other.attributes)}` : '';
      return differs(`requests in the metric ${name}`, requests, count, '').map((text) => text + detail);
    }),
  ];
}

function label(span: { kind: string; name: string } | undefined): string {
  return span ? `${span.kind} "${span.name}"` : 'none';
}
