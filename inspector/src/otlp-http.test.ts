import { afterEach, expect, test } from 'bun:test';
import { otlpSender } from './otlp-http.ts';

const before = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  Object.assign(process.env, before);
});

const bytes = new TextEncoder().encode('request');

/** Gives these answers in turn, and keeps what was asked. */
function receiver(...answers: Response[]) {
  const requests: { path: string; headers: Headers; body: string }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = new Uint8Array(await request.arrayBuffer());
      const plain = request.headers.get('content-encoding') === 'gzip' ? Bun.gunzipSync(body) : body;
      const { pathname: path } = new URL(request.url);
      requests.push({ path, headers: request.headers, body: new TextDecoder().decode(plain) });
      return answers.shift() ?? new Response();
    },
  });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}/` };
  return { requests, env, [Symbol.asyncDispose]: () => server.stop(true) };
}

test('sends to the path of the signal, with the headers and the compression that the environment names', async () => {
  await using server = receiver();
  const more = { OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=1', OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=2' };
  Object.assign(process.env, server.env, more, { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' });
  await otlpSender('TRACES')(bytes);
  await otlpSender('METRICS')(bytes);
  expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/traces', 'request'],
    ['/v1/metrics', 'request'],
  ]);
  const seen = server.requests.map(({ headers }) => ['content-type', 'a', 'b'].map((name) => headers.get(name)));
  expect(seen).toEqual([
    ['application/x-protobuf', '1', '2'],
    ['application/x-protobuf', '1', '1'],
  ]);
});

test('tries again what the receiver cannot take now', async () => {
  const busy = () => new Response('', { status: 503, headers: { 'retry-after': '0.01' } });
  await using server = receiver(busy(), busy());
  process.env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT = `${server.env.OTEL_EXPORTER_OTLP_ENDPOINT}own`;
  await otlpSender('TRACES')(bytes);
  expect(server.requests.map(({ path, body }) => `${path} ${body}`)).toEqual(Array(3).fill('/own request'));
});

test('gives up what the receiver refuses, and what takes longer than the timeout', async () => {
  await using server = receiver(new Response('', { status: 400 }), new Response('', { status: 503 }));
  // The first delay is longer.
  Object.assign(process.env, server.env, { OTEL_EXPORTER_OTLP_TIMEOUT: '700' });
  const send = otlpSender('TRACES');
  await expect(send(bytes)).rejects.toThrow('status 400');
  await expect(send(bytes)).rejects.toThrow('status 503');
  expect(server.requests).toHaveLength(2);
});

test('does not follow a redirect, which would lose the request and give its headers away', async () => {
  await using elsewhere = receiver();
  await using server = receiver(Response.redirect(elsewhere.env.OTEL_EXPORTER_OTLP_ENDPOINT, 302));
  Object.assign(process.env, server.env);
  await expect(otlpSender('TRACES')(bytes)).rejects.toThrow('status 302');
  expect(elsewhere.requests).toEqual([]);
});
