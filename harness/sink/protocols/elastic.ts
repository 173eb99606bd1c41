import type { Json, Protocol } from './protocol.ts';

/**
 * Events of Elastic's agents, a line of JSON each (elastic.co/docs/solutions/observability/apm,
 * intake API v2).
 */
export const elastic: Protocol = {
  requests: /^POST \/intake\/v2\/events$/,

  /** A transaction is a span itself: the root of the others. */
  decode({ body }) {
    const lines = new TextDecoder().decode(body).split('\n').filter(Boolean);
    const events: Json[] = lines.map((line) => JSON.parse(line));
    return { spans: events.flatMap(({ transaction, span }) => transaction ?? span ?? []) };
  },

  spanOf(span) {
    return {
      spanId: span.id,
      parentSpanId: span.parent_id,
      name: span.name,
      kind: span.type === 'request' ? 'SERVER' : 'INTERNAL',
      attributes: {
        type: span.type,
        'http.status_code': span.context?.response?.status_code,
      },
    };
  },
};
