import { decode } from '@msgpack/msgpack';
import { SPAN_KINDS } from '../../suite/suite-schema.ts';
import type { Json, Protocol, ReceivedSpan } from './protocol.ts';

/**
 * Traces in MessagePack, as a Datadog agent takes them
 * (docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api).
 */
export const datadog: Protocol = {
  requests: /^(PUT|POST) \/v0\.4\/traces$/,

  decode({ body }) {
    // Ids have 64 bits.
    const traces = decode(body, { useBigInt64: true }) as Json[][];
    return { spans: traces.flat() };
  },

  /** A span's operation is its name here, and its resource an attribute. */
  spanOf(span) {
    return {
      spanId: String(span.span_id),
      parentSpanId: parentOf(span),
      name: span.name,
      kind: kindOf(span),
      attributes: { ...span.meta, ...span.metrics, resource: span.resource },
    };
  },
};

/** A root has the parent 0, or none. */
function parentOf(span: Json): string | undefined {
  const isRoot = BigInt(span.parent_id ?? 0) === 0n;
  return isRoot ? undefined : String(span.parent_id);
}

function kindOf(span: Json): ReceivedSpan['kind'] {
  const name = span.meta?.['span.kind']?.toUpperCase();
  return SPAN_KINDS.find((kind) => kind === name) ?? 'INTERNAL';
}
