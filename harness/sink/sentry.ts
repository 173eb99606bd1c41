import { type Attributes, type Json, listIn, type Protocol, parseJson } from './protocol.ts';

const NEWLINE = 10;

/**
 * Envelopes of Sentry's SDKs (develop.sentry.dev/sdk/data-model/envelopes). Spans are in items of spans, and in
 * transactions, which older SDKs send. Other items are left out.
 */
export const sentry: Protocol = {
  requests: /^POST \/api\/\d+\/envelope\/$/,

  decode: ({ body }) => ({ spans: spansIn(body) }),

  /** Spans of a transaction have a description and data; others a name, and attributes with their types. */
  spanOf({ attributes = {}, data, ...span }) {
    const plain = Object.entries<Json>(attributes).map(([key, { value }]) => [key, value]);
    const own: Attributes = { ...data, ...Object.fromEntries(plain) };
    return {
      spanId: span.span_id,
      parentSpanId: span.parent_span_id || undefined,
      name: span.name ?? span.description,
      kind: own['sentry.op'] === 'http.server' ? 'SERVER' : 'INTERNAL',
      attributes: own,
    };
  },
};

/**
 * After a line about all of it, each item of an envelope has a line with its type, and its payload: as long as that
 * line says, or a line too. A transaction is a span itself, the root of the others. @throws Error if it is no envelope.
 */
function spansIn(body: Uint8Array): Json[] {
  const lists: Json[][] = [];
  const lineFrom = (start: number) => (body.indexOf(NEWLINE, start) + 1 || body.length + 1) - 1;
  const json = (start: number, end: number) => parseJson(body.subarray(start, end));
  for (let at = lineFrom(0) + 1; at < body.length; ) {
    const start = lineFrom(at) + 1;
    const header = json(at, start);
    const end = header.length === undefined ? lineFrom(start) : start + header.length;
    if (!(end >= start)) throw new Error('an item has no length');
    if (header.type === 'span') lists.push(listIn(json(start, end), 'items'));
    if (header.type === 'transaction') {
      const { transaction, contexts, spans = [] } = json(start, end);
      lists.push([{ ...contexts.trace, description: transaction }, ...spans]);
    }
    at = end + 1;
  }
  return lists.flat();
}
