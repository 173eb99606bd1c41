import { decode } from '@msgpack/msgpack';
import type { Json } from '../sink/intake.ts';
import { SPAN_KINDS } from '../suite/suite-schema.ts';
import type { ReceivedSpan } from './otlp.ts';

/**
 * The spans in a request to a Datadog agent. A span's operation is its name, its resource an attribute
 * (docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api).
 * @throws Error if it is none.
 */
export function decodeTraces(body: Uint8Array): ReceivedSpan[] {
  // Ids have 64 bits.
  const traces = decode(body, { useBigInt64: true }) as Json[][];
  return traces.flat().map((span) => ({
    traceId: String(span.trace_id),
    spanId: String(span.span_id),
    parentSpanId: BigInt(span.parent_id) === 0n ? undefined : String(span.parent_id),
    name: span.name,
    kind: SPAN_KINDS.find((kind) => kind === span.meta['span.kind']?.toUpperCase()) ?? 'INTERNAL',
    attributes: { ...span.meta, resource: span.resource },
  }));
}
