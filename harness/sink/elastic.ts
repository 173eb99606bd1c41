import type { Json, Protocol } from './protocol.ts';

/** Events of Elastic's agents, a line of JSON each (elastic.co/docs/solutions/observability/apm, intake API v2). */
export const elastic: Protocol = {
  requests: /^POST \/intake\/v2\/events$/,

  decode({ body }) {
    const lines = new TextDecoder().decode(body).split('\n').filter(Boolean);
    const events: Json[] = lines.map((line) => JSON.parse(line));
    return { spans: events.flatMap(({ transaction, span }) => transaction ?? span ?? []) };
  },

  /** A transaction is a span itself, the root of the others. */
  spanOf({ id, parent_id: parentSpanId, name, type, ...span }) {
    const status = span.context?.response?.status_code;
    const kind = type === 'request' ? 'SERVER' : 'INTERNAL';
    return {
      spanId: id,
      parentSpanId,
      name,
      kind,
      attributes: { type, 'http.status_code': status },
    };
  },
};
