import type { Json } from '../sink/intake.ts';
import { itemsOf } from '../sink/sentry-spans.ts';
import type { Attributes, ReceivedSpan } from './otlp.ts';

/**
 * The spans in an envelope of Sentry's SDKs: those of items of spans, and of transactions, which older SDKs send. Other items
 * are left out.
 * @throws Error if it is no envelope.
 */
export function decodeEnvelope(body: Uint8Array): ReceivedSpan[] {
  return itemsOf(body).flatMap(({ header, payload }) => {
    if (header.type === 'span') return payload().items.map(spanOf);
    return header.type === 'transaction' ? spansOfTransaction(payload()) : [];
  });
}

function spanOf({ name, attributes, ...span }: Json): ReceivedSpan {
  const plain = Object.entries(attributes as Json).map(([key, { value }]: [string, Json]) => [key, value]);
  return received(span, name, Object.fromEntries(plain));
}

/** The transaction is a span itself, the root of the others. */
function spansOfTransaction({ transaction, contexts: { trace }, spans = [] }: Json): ReceivedSpan[] {
  const others = spans.map((span: Json) => received(span, span.description, span.data ?? {}));
  return [received(trace, transaction, trace.data ?? {}), ...others];
}

function received({ trace_id, span_id, parent_span_id }: Json, name: string, attributes: Attributes): ReceivedSpan {
  return {
    traceId: trace_id,
    spanId: span_id,
    parentSpanId: parent_span_id || undefined,
    name,
    kind: attributes['sentry.op'] === 'http.server' ? 'SERVER' : 'INTERNAL',
    attributes,
  };
}
