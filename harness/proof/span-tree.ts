import type { ReceivedSpan } from '../sink/protocols/protocol.ts';
import { matchesAnyName, type Telemetry } from '../suite/telemetry.ts';

/** A span with those nested in it, in the order of their names. */
export interface SpanTree extends ReceivedSpan {
  children: SpanTree[];
}

/** What spans make. Those of these names are none of a request's: they are left out, and so is what is nested in them. */
export function buildSpanTrees(
  spans: ReceivedSpan[],
  without: Telemetry['ignore'] = [],
): SpanTree[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  // The client may have named a parent, the same in all requests: it never arrives.
  const parentOf = ({ parentSpanId: id }: ReceivedSpan) =>
    id !== undefined && ids.has(id) ? id : undefined;
  const nested = Map.groupBy(spans, parentOf);
  const grown = (parent?: string): SpanTree[] => {
    const own = (nested.get(parent) ?? []).filter(({ name }) => !matchesAnyName(without, name));
    // Each has a place in one tree, also if a span came twice.
    nested.delete(parent);
    return own
      .map((span) => ({ ...span, children: grown(span.spanId) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  };
  return grown();
}
