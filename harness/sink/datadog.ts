import { decode } from '@msgpack/msgpack';
import { SPAN_KINDS } from '../suite/suite-schema.ts';
import type { Json, Protocol } from './protocol.ts';

/** Traces in MessagePack, for a Datadog agent (docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api). */
export const datadog: Protocol = {
  requests: /^(PUT|POST) \/v0\.4\/traces$/,
  // Ids have 64 bits.
  decode: ({ body }) => ({ spans: (decode(body, { useBigInt64: true }) as Json[][]).flat() }),

  /** A root has the parent 0, or none. A span's operation is its name, its resource an attribute. */
  spanOf: (span) => ({
    spanId: String(span.span_id),
    parentSpanId: BigInt(span.parent_id ?? 0) === 0n ? undefined : String(span.parent_id),
    name: span.name,
    kind: SPAN_KINDS.find((kind) => kind === span.meta?.['span.kind']?.toUpperCase()) ?? 'INTERNAL',
    attributes: { ...span.meta, ...span.metrics, resource: span.resource },
  }),
};
