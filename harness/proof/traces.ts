import type { ReceivedSpan } from '../sink/protocol.ts';
import { isOneOf, type Telemetry } from '../suite/telemetry.ts';

/** Spans by the id of their parent. */
export type Children = Map<string | undefined, ReceivedSpan[]>;
export const byParent = (spans: ReceivedSpan[]): Children => Map.groupBy(spans, ({ parentSpanId }) => parentSpanId);

export function byName<T extends { name: string }>(spans: T[]): T[] {
  return spans.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** These spans, and all that are nested in them. */
export function withNested(spans: ReceivedSpan[], children: Children): Set<ReceivedSpan> {
  const found = new Set(spans);
  // What is added to a set meanwhile is visited, too.
  for (const { spanId } of found) for (const child of children.get(spanId) ?? []) found.add(child);
  return found;
}

/** Without those of these names, which are none of a request's, and without what is nested in those. */
export function ofRequests(spans: ReceivedSpan[], names: Telemetry['ignore']): ReceivedSpan[] {
  const apart = spans.filter(({ name }) => isOneOf(names, name));
  return [...new Set(spans).difference(withNested(apart, byParent(spans)))];
}

/**
 * With a trace for each request, also if all of them continue the one that a header names (W3C's `traceparent` and those
 * like it): a span whose parent is named there has none.
 */
export function tracesApart(spans: ReceivedSpan[], headers: string[]): ReceivedSpan[] {
  const sent = headers.join(' ').toLowerCase();
  const children = byParent(spans);
  // Datadog's ids are decimal in its own headers, and hexadecimal in others.
  const spelt = (id: string) => (/^\d+$/.test(id) ? [id, BigInt(id).toString(16).padStart(16, '0')] : [id]);
  const isSent = (id: string) => spelt(id).some((each) => sent.includes(each));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId !== undefined && isSent(parentSpanId));
  const rootOf = new Map(
    roots.flatMap((root) => [...withNested([root], children)].map((span) => [span, root] as const)),
  );
  return spans.map((span) => {
    const root = rootOf.get(span);
    return root ? { ...span, traceId: root.spanId, parentSpanId: span === root ? undefined : span.parentSpanId } : span;
  });
}
