import { type Attributes, countIn, type Json, listIn, type Protocol, parseJson } from './protocol.ts';

const NEWLINE = 10;

/**
 * Envelopes of Sentry's SDKs (develop.sentry.dev/sdk/data-model/envelopes). Spans are in items of spans, and in
 * transactions, which older SDKs send. Other items are left out.
 */
export const sentry: Protocol = {
  requests: /^POST \/api\/\d+\/envelope\/$/,

  decode: ({ body }) => ({ spans: itemsOf(body).flatMap(spansIn) }),

  /** Spans of a transaction have a description and data; others a name, and attributes with their types. */
  nameOf: ({ name, description }) => name ?? description,

  spanOf({ attributes = {}, data, ...span }) {
    const plain = Object.entries<Json>(attributes).map(([key, { value }]) => [key, value]);
    const own: Attributes = { ...data, ...Object.fromEntries(plain) };
    return {
      traceId: span.trace_id,
      spanId: span.span_id,
      parentSpanId: span.parent_span_id || undefined,
      name: span.name ?? span.description,
      kind: own['sentry.op'] === 'http.server' ? 'SERVER' : 'INTERNAL',
      attributes: own,
    };
  },
};

type Item = { header: Json; payload: () => Json };

/**
 * What an envelope holds: after a line about all of it, each item has a line with its type, and its payload, which is as
 * long as that line says, or a line too. @throws Error if it is no envelope.
 */
function itemsOf(body: Uint8Array): Item[] {
  const items = [];
  const lineFrom = (start: number) => (body.indexOf(NEWLINE, start) + 1 || body.length + 1) - 1;
  const json = (start: number, end: number) => parseJson(body.subarray(start, end));
  for (let at = lineFrom(0) + 1; at < body.length; ) {
    const start = lineFrom(at) + 1;
    const header = json(at, start);
    const end = header.length === undefined ? lineFrom(start) : start + countIn(header, 'length');
    items.push({ header, payload: () => json(start, end) });
    at = end + 1;
  }
  return items;
}

/** A transaction is a span itself, the root of the others. */
function spansIn({ header: { type }, payload }: Item): Json[] {
  if (type === 'span') return listIn(payload(), 'items');
  if (type !== 'transaction') return [];
  const { transaction, contexts, ...message } = payload();
  return [{ ...contexts.trace, description: transaction }, ...listIn(message, 'spans')];
}
