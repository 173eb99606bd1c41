import { type Attributes, type Json, type Protocol, parseJson, type ReceivedSpan } from './protocol.ts';

/**
 * Envelopes of Sentry's SDKs (develop.sentry.dev/sdk/data-model/envelopes). Spans are in items of spans, and in
 * transactions, which older SDKs send. Other items are left out.
 */
export const sentry: Protocol = {
  requests: /^POST \/api\/\d+\/envelope\/$/,

  count: ({ body }) =>
    itemsOf(body).reduce((sum, { header, payload }) => {
      if (header.type === 'span') return sum + header.item_count;
      // A transaction is a span itself.
      return header.type === 'transaction' ? sum + 1 + (payload().spans?.length ?? 0) : sum;
    }, 0),

  decode({ body }) {
    const spans = itemsOf(body).flatMap(({ header, payload }): ReceivedSpan[] => {
      if (header.type === 'span') return payload().items.map(spanOf);
      return header.type === 'transaction' ? spansOfTransaction(payload()) : [];
    });
    return { spans, points: [] };
  },
};

/**
 * What an envelope holds: after a line about all of it, each item has a line with its type, and its payload, which is as
 * long as that line says, or a line too. @throws Error if it is no envelope.
 */
function itemsOf(body: Uint8Array): { header: Json; payload: () => Json }[] {
  const items = [];
  const lineFrom = (start: number) => (body.indexOf(NEWLINE, start) + 1 || body.length + 1) - 1;
  const json = (start: number, end: number) => parseJson(body.subarray(start, end));
  for (let at = lineFrom(0) + 1; at < body.length; ) {
    const start = lineFrom(at) + 1;
    const header = json(at, start);
    const end = header.length === undefined ? lineFrom(start) : start + header.length;
    items.push({ header, payload: () => json(start, end) });
    at = end + 1;
  }
  return items;
}

const NEWLINE = 10;

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
