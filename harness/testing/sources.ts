// Sources of servers.

/** The body of a fetch handler: an answer. */
export const HI = "return new Response('Hi')";

/** What a fetch handler does before its answer: it sends one span to the sink, by OTLP in JSON. */
export const SEND_SPAN = `
  const id = (bytes) => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
  const span = { traceId: id(16), spanId: id(8), name: 'GET /', kind: 2 };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const url = process.env.OTEL_EXPORTER_OTLP_ENDPOINT + '/v1/traces';
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });`;

/**
 * A module whose fetch handler has this body; `state` is an object that lasts from request to
 * request.
 */
export function server(handler: string): string {
  return `const state = {};\nexport default { fetch: async (request, server) => { ${handler} } };\n`;
}

/** A whole server on Node, for `node -e`. */
export const ON_NODE =
  "import('node:http').then((h) => h.createServer((q, s) => s.end('Hi')).listen(process.env.PORT, '127.0.0.1'))";
