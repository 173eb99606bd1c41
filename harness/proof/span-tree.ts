import type { ReceivedSpan } from '../sink/protocols/protocol.ts';
import { matchesAnyName, type NamePattern } from '../suite/telemetry.ts';

/** A span with those nested in it, in the order of their names. */
export interface SpanTree extends ReceivedSpan {
  children: SpanTree[];
}

/**
 * Returns the span tree of each trace. Spans of the ignored names are of no request: they are left
 * out, with all that is nested in them.
 */
export function buildSpanTrees(spans: ReceivedSpan[], ignored: NamePattern[] = []): SpanTree[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const spansByParent = Map.groupBy(spans, ({ parentSpanId }) =>
    // The client may have named a parent, the same in all requests: that parent never arrives.
    parentSpanId !== undefined && ids.has(parentSpanId) ? parentSpanId : undefined,
  );
  return childrenOf(undefined, spansByParent, ignored);
}

/** Takes the spans of this parent out of the map: also a span that came twice has one place. */
function childrenOf(
  parentId: string | undefined,
  spansByParent: Map<string | undefined, ReceivedSpan[]>,
  ignored: NamePattern[],
): SpanTree[] {
  const spans = spansByParent.get(parentId) ?? [];
  spansByParent.delete(parentId);
  return spans
    .filter(({ name }) => !matchesAnyName(ignored, name))
    .map((span) => ({ ...span, children: childrenOf(span.spanId, spansByParent, ignored) }))
    .sort((one, other) => one.name.localeCompare(other.name));
}
