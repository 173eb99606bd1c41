import { decode } from '@msgpack/msgpack';
import { SPAN_KINDS } from '../suite/suite-schema.ts';
import type { Json, Protocol } from './protocol.ts';

/** Traces in MessagePack, for a Datadog agent (docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api). */
export const datadog: Protocol = {
  // Before it sends, a tracer asks what the agent can do.
  requests: /^((PUT|POST) \/v0\.4\/traces|GET \/info)$/,
  // Ids have 64 bits.
  decode({ path, body }) {
    const traces = path === '/info' ? [] : (decode(body, { useBigInt64: true }) as Json[][]);
    return { spans: traces.flat() };
  },

  nameOf: ({ name }) => name,

  /**
   * A root has the parent 0, or none. A span's operation is its name, its resource an attribute, and so is the rate by
   * which it was sampled.
   */
  spanOf: (span) => ({
    traceId: String(span.trace_id),
    spanId: String(span.span_id),
    parentSpanId: BigInt(span.parent_id ?? 0) === 0n ? undefined : String(span.parent_id),
    name: span.name,
    kind: SPAN_KINDS.find((kind) => kind === span.meta?.['span.kind']?.toUpperCase()) ?? 'INTERNAL',
    attributes: { ...span.meta, ...span.metrics, resource: span.resource },
  }),
};
