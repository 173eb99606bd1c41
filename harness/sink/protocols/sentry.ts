import { type Attributes, type Json, listIn, type Protocol, parseJson } from './protocol.ts';

const NEWLINE = '\n'.charCodeAt(0);
/** Items that are a profile: one with a transaction, or part of one that goes on. */
const PROFILE = /^profile(_chunk)?$/;

/**
 * Envelopes of Sentry's SDKs (develop.sentry.dev/sdk/data-model/envelopes). Spans are in items of
 * the type `span`, and in transactions, which older SDKs send. Profiles are counted. Other items are
 * left out.
 */
export const sentry: Protocol = {
  requests: /^POST \/api\/\d+\/envelope\/$/,

  decode({ body }) {
    const items = itemsOf(body);
    const profiles = items.filter(({ header }) => PROFILE.test(header.type));
    return { spans: items.flatMap(spansOfItem), profiles: profiles.length };
  },

  /**
   * Spans of a transaction have a description and data; others have a name, and attributes with
   * their types.
   */
  spanOf(span) {
    const typed = Object.entries<Json>(span.attributes ?? {});
    const attributes: Attributes = {
      ...span.data,
      ...Object.fromEntries(typed.map(([name, { value }]) => [name, value])),
    };
    return {
      spanId: span.span_id,
      parentSpanId: span.parent_span_id || undefined,
      name: span.name ?? span.description,
      kind: attributes['sentry.op'] === 'http.server' ? 'SERVER' : 'INTERNAL',
      attributes,
    };
  },
};

/** An item of an envelope. */
interface Item {
  header: Json;
  payload: Uint8Array;
}

/**
 * Splits an envelope. Its first line is about all of it. Each item has a line with a header, and a
 * payload: as long as the header says, or else one line.
 * @throws Error if it is no envelope
 */
function itemsOf(envelope: Uint8Array): Item[] {
  const items: Item[] = [];
  let start = endOfLine(envelope, 0) + 1;
  while (start < envelope.length) {
    const headerEnd = endOfLine(envelope, start);
    const header = parseJson(envelope.subarray(start, headerEnd));
    const payloadStart = headerEnd + 1;
    const payloadEnd =
      header.length === undefined
        ? endOfLine(envelope, payloadStart)
        : payloadStart + header.length;
    // A length may be negative, or no number.
    if (!(payloadEnd >= payloadStart)) throw new Error('an item has no length');
    items.push({ header, payload: envelope.subarray(payloadStart, payloadEnd) });
    start = payloadEnd + 1;
  }
  return items;
}

/**
 * Returns where the line ends that begins at `start`: at its line break, or at the end of the text.
 */
function endOfLine(text: Uint8Array, start: number): number {
  const lineBreak = text.indexOf(NEWLINE, start);
  return lineBreak < 0 ? text.length : lineBreak;
}

/** A transaction is a span itself: the root of the others. */
function spansOfItem({ header, payload }: Item): Json[] {
  if (header.type === 'span') return listIn(parseJson(payload), 'items');
  if (header.type !== 'transaction') return [];
  const { transaction, contexts, spans = [] } = parseJson(payload);
  const root = { ...contexts.trace, description: transaction };
  return [root, ...spans];
}
