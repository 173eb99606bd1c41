// The same app with and without recorded bodies, each behind a server, spoken to over bare TCP:
// what a client gets must be the same in every byte.
import { afterAll, describe, expect, test } from 'bun:test';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { streamSSE } from 'hono/streaming';
import { inMemory } from './testing/in-memory.ts';
import { exchange } from './testing/tcp.ts';

const long = 'Grüße, '.repeat(5_000);
const type = { 'content-type': 'text/plain' };
const file = Bun.file(import.meta.path, { type: 'text/html' });

async function* chunks() {
  for (let index = 0; index < 5; index++) {
    await Bun.sleep(1);
    yield new TextEncoder().encode(`chunk ${index} `);
  }
}

/** What a handler may return, by its path. */
const answers: Record<string, (c: Context) => unknown> = {
  '/text': () => new Response('own'),
  '/json': () => Response.json({ long }, { status: 201, headers: { 'x-own': '1' } }),
  '/wide': () => new Response('€', { statusText: 'Fine', headers: { 'x-own': '1' } }),
  '/cyrillic': () => new Response('привет'),
  '/untyped': () => new Response(Buffer.from('grüße')),
  '/bytes': () => new Response(new TextEncoder().encode(long), { headers: type }),
  '/blob': () => new Response(new Blob([long], { type: 'text/css' })),
  '/parameters': () => new Response(new URLSearchParams({ a: 'ä' })),
  '/subclass': () => new (class Own extends Response {})('sub', { status: 202 }),
  '/clone': () => new Response('original').clone(),
  '/generator': () => new Response(chunks() as unknown as ReadableStream, { headers: type }),
  '/stream': () => new Response(new Response(chunks() as never).body, { headers: type }),
  '/stated': () => new Response(new Blob(['abc']).stream(), { headers: { 'content-length': '3' } }),
  '/file': () => new Response(file),
  '/file/part': () => new Response(file.slice(10, 20), { status: 206 }),
  '/nothing': () => new Response(null),
  '/no-content': () => new Response(null, { status: 204 }),
  '/string': () => 'not a response',
  '/fails': () => {
    throw new Error('boom');
  },
  '/umlaut': (c) => c.text('grüße'),
  '/html': (c) => c.html(`<p>${long}</p>`),
  '/redirect': (c) => c.redirect('/text'),
  '/events': (c) =>
    streamSSE(c, async (out) => {
      for (let id = 0; id < 3; id++) await out.writeSSE({ id: String(id), data: long });
    }),
};
for (const path of ['/plain', '/late/json', '/compressed/json', '/tagged/json'])
  answers[path] = (c) => c.json({ long });

function createApp(): Hono {
  const app = new Hono();
  app.use('/late/*', async (c, next) => {
    await next();
    c.header('x-late', '1');
  });
  app.use('/compressed/*', compress());
  app.use('/tagged/*', etag());
  app.use('/limited', bodyLimit({ maxSize: 100_000 }));
  for (const [path, answer] of Object.entries(answers)) app.get(path, (c) => answer(c) as Response);
  app.onError((error, c) => c.text(error.message, 500));
  app.post('/unread', (c) => c.text('unread'));
  app.post('/echo', async (c) => c.text(await c.req.text()));
  app.post('/limited', async (c) => c.json(await c.req.json()));
  app.post('/form', async (c) => c.json(await c.req.parseBody()));
  app.post('/blob', async (c) => c.text((await c.req.blob()).type));
  app.post('/passed-on', (c) => new Response(c.req.raw.body, { headers: type }));
  return app;
}

const { inspector, spans } = inMemory({ bodies: {} });
const servers = [createApp(), inspector.instrument(createApp())].map((app) =>
  Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch: app.fetch }),
);
afterAll(async () => {
  for (const server of servers) await server.stop(true);
});

/** How a chunked body is cut depends on when its parts come. The rest must be the same. */
function comparable(answer: string): string {
  const undated = answer.replace(/\r\nDate: [^\r]+/i, '');
  return /\r\ntransfer-encoding: chunked/i.test(undated)
    ? undated.replace(/\r\n[0-9a-f]+\r\n/gi, '')
    : undated;
}

const message = (start: string, headers = '', body = '') =>
  `${start} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n${headers}\r\n${body}`;
const get = (path: string, headers?: string) => message(`GET ${path}`, headers);
const post = (
  path: string,
  body: string,
  type = 'text/plain',
  length = `Content-Length: ${body.length}`,
) => message(`POST ${path}`, `Content-Type: ${type}\r\n${length}\r\n`, body);
const form = '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n';
const chunked = 'Transfer-Encoding: chunked';

describe('the same answer with and without recorded bodies', () => {
  test.each([
    ...[...Object.keys(answers), '/missing'].map((path) => get(path)),
    ...['/plain', '/file', '/events'].map((path) => message(`HEAD ${path}`)),
    get('/file', 'Range: bytes=5-99\r\n'),
    get('/compressed/json', 'Accept-Encoding: gzip\r\n'),
    get('/tagged/json', 'If-None-Match: *\r\n'),
    post('/unread', long),
    post('/echo', 'ping'),
    post('/blob', 'ping'),
    post('/echo', '4\r\nping\r\n0\r\n\r\n', 'text/plain', chunked),
    post('/limited', '7\r\n{"a":1}\r\n0\r\n\r\n', 'application/json', chunked),
    post('/limited', '{"a":', 'application/json'),
    post('/form', 'a=1+2', 'application/x-www-form-urlencoded'),
    post('/form', form, 'multipart/form-data; boundary=x'),
  ])('%s', async (sent) => {
    const answered = await Promise.all(servers.map(({ port }) => exchange(port, sent)));
    const [plain = '', observed] = answered.map(comparable);
    expect(plain).toStartWith('HTTP/1.1 ');
    expect(observed).toBe(plain);
  });
});

test("a request's stream that is passed on whole comes back whole", async () => {
  // Bun sends it chunked, or with its length if somebody reads it, too.
  for (const { port } of servers)
    expect(comparable(await exchange(port, post('/passed-on', 'ping')))).toMatch(/\r\nping/);
});

test('a stream arrives as it is produced, and a client that goes away ends its source', async () => {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const source = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1);
      controller.enqueue(new Uint8Array(10).fill(97));
    },
    cancel: () => cancel(),
  });
  const app = inspector.instrument(
    new Hono().get('/endless', () => new Response(source, { headers: type })),
  );
  await using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch });
  const going = new AbortController();
  const reader = (
    await fetch(new URL('/endless', server.url), { signal: going.signal })
  ).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  going.abort();
  await cancelled;
  const attributes = (await spans()).at(-1)?.attributes;
  expect(attributes?.['http.response.body.content']).toMatch(/^a{10}/);
  expect(attributes?.['http.response.body.truncated']).toBe(true);
});
