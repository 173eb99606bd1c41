// The same app with and without recorded bodies, each behind a server, spoken to over bare TCP: what a client gets must be
// the same in every byte.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { stream, streamSSE } from 'hono/streaming';
import { inMemory, named } from './testing/in-memory.ts';

const folder = mkdtempSync(join(tmpdir(), 'answers-'));
const file = join(folder, 'page.html');
const long = 'Grüße, '.repeat(5_000);
const type = { 'content-type': 'text/plain' };

function* chunks() {
  for (let index = 0; index < 5; index++) yield new TextEncoder().encode(`chunk ${index} `);
}

function createApp(): Hono {
  const app = new Hono();
  app.use('/late/*', async (c, next) => {
    await next();
    c.header('x-late', '1');
  });
  app.use('/compressed/*', compress());
  app.use('/tagged/*', etag());
  app.use('/limited', bodyLimit({ maxSize: 100_000 }));
  app.get('/json', (c) => c.json({ long }));
  app.get('/late/json', (c) => c.json({ long }, 201, { 'x-early': '1' }));
  app.get('/compressed/json', (c) => c.json({ long }));
  app.get('/tagged/text', (c) => c.text('tagged'));
  app.get('/text', (c) => c.text('Hi'));
  app.get('/html', (c) => c.html(`<p>${long}</p>`));
  app.get('/bytes', (c) => c.body(new TextEncoder().encode(long), 200, type));
  app.get('/nothing', (c) => c.body(null));
  app.get('/no-content', (c) => c.body(null, 204));
  app.get('/redirect', (c) => c.redirect('/text'));
  app.get('/own/text', () => new Response('own'));
  app.get('/own/json', () => Response.json({ long }, { headers: { 'x-own': '1' } }));
  app.get('/own/blob', () => new Response(new Blob([long], { type: 'text/css' })));
  app.get('/own/parameters', () => new Response(new URLSearchParams({ a: 'ä' })));
  app.get('/own/subclass', () => new (class Own extends Response {})('sub', { status: 202 }) as unknown as Response);
  app.get('/own/clone', () => new Response('original').clone() as unknown as Response);
  app.get('/own/generator', () => new Response(chunks() as unknown as ReadableStream, { headers: type }));
  app.get('/own/transferred', () => {
    const buffer = new TextEncoder().encode(long).buffer;
    const response = new Response(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    return response;
  });
  app.get('/own/string', () => 'not a response' as unknown as Response);
  app.get('/file', () => new Response(Bun.file(file)));
  app.get('/file/part', () => new Response(Bun.file(file).slice(10, 20), { status: 206 }));
  app.get('/stream', (c) =>
    stream(c, async (out) => {
      for (const chunk of chunks()) await out.write(chunk);
    }),
  );
  app.get('/events', (c) =>
    streamSSE(c, async (out) => {
      for (let id = 0; id < 3; id++) await out.writeSSE({ id: String(id), data: long });
    }),
  );
  app.get('/fails', () => {
    throw new Error('boom');
  });
  app.onError((error, c) => c.text(error.message, 500));
  app.post('/unread', (c) => c.text('unread'));
  app.post('/echo', async (c) => c.text(await c.req.text()));
  app.post('/limited', async (c) => c.json(await c.req.json()));
  app.post('/form', async (c) => c.json(await c.req.parseBody()));
  app.post('/passed-on', (c) => new Response(c.req.raw.body, { headers: type }));
  return app;
}

const { inspector, spans } = inMemory({ bodies: {} });
const servers = [createApp(), inspector.instrument(createApp())].map((app) =>
  Bun.serve({ port: 0, hostname: '127.0.0.1', development: false, fetch: app.fetch }),
);
beforeAll(() => Bun.write(file, '<p>'.repeat(10_000)).then(() => {}));
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(true)));
  rmSync(folder, { recursive: true });
});

/** Resolves with all that comes until the server closes the connection. */
function exchange(port: number, start: string, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const received: Buffer[] = [];
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(`${start}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n${body}`);
  });
  socket.on('data', (bytes: Buffer) => received.push(bytes));
  socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')));
  socket.on('error', reject);
  return promise;
}

/** How a chunked body is cut depends on when its parts come. The rest must be the same. */
function comparable(answer: string): string {
  const undated = answer.replace(/\r\nDate: [^\r]+/i, '');
  if (!/\r\ntransfer-encoding: chunked/i.test(undated)) return undated;
  const start = undated.indexOf('\r\n\r\n') + 4;
  let body = '';
  for (let at = start; ; ) {
    const lineEnd = undated.indexOf('\r\n', at);
    const length = Number.parseInt(undated.slice(at, lineEnd), 16);
    if (!length) return undated.slice(0, start) + body;
    body += undated.slice(lineEnd + 2, lineEnd + 2 + length);
    at = lineEnd + 4 + length;
  }
}

const gets = [
  ...[
    'json',
    'text',
    'html',
    'bytes',
    'nothing',
    'no-content',
    'redirect',
    'late/json',
    'compressed/json',
    'tagged/text',
  ],
  ...['text', 'json', 'blob', 'parameters', 'subclass', 'clone', 'generator', 'transferred', 'string'].map(
    (name) => `own/${name}`,
  ),
  ...['file', 'file/part', 'stream', 'events', 'fails', 'missing'],
];
type Message = readonly [head: string, body: string];
const get = (path: string, headers = ''): Message => [`GET /${path} HTTP/1.1${headers}`, ''];
const head = (path: string): Message => [`HEAD /${path} HTTP/1.1`, ''];
const post = (path: string, body: string, headers: string): Message => [`POST /${path} HTTP/1.1\r\n${headers}`, body];
const sized = (body: string) => `Content-Length: ${body.length}`;
const form = '--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\nc\r\n--x--\r\n';

describe('the same answer with and without recorded bodies', () => {
  test.each([
    ...gets.map((path) => get(path)),
    ...['json', 'file', 'events'].map(head),
    get('file', '\r\nRange: bytes=5-99'),
    get('compressed/json', '\r\nAccept-Encoding: gzip'),
    get('tagged/text', '\r\nIf-None-Match: *'),
    post('unread', 'x'.repeat(50_000), sized('x'.repeat(50_000))),
    post('echo', 'ping', sized('ping')),
    post('echo', '4\r\nping\r\n0\r\n\r\n', 'Transfer-Encoding: chunked'),
    post('limited', '7\r\n{"a":1}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked\r\nContent-Type: application/json'),
    post('limited', '{"a":', `${sized('{"a":')}\r\nContent-Type: application/json`),
    post('form', 'a=1+2', `${sized('a=1+2')}\r\nContent-Type: application/x-www-form-urlencoded`),
    post('form', form, `${sized(form)}\r\nContent-Type: multipart/form-data; boundary=x`),
  ])('%s', async (start, body) => {
    const [plain = '', observed] = await Promise.all(
      servers.map(async ({ port }) => comparable(await exchange(port as number, start, body))),
    );
    expect(plain).toStartWith('HTTP/1.1 ');
    expect(observed).toBe(plain);
  });
});

test("a request's stream that is passed on whole comes back whole", async () => {
  const [start, body] = post('passed-on', 'ping', sized('ping'));
  // Bun sends it chunked if nobody else reads it, and with its length if somebody does.
  const answers = await Promise.all(servers.map(({ port }) => exchange(port as number, start, body)));
  for (const answer of answers) expect(comparable(answer)).toEndWith('\r\n\r\nping');
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
  const app = inspector.instrument(new Hono().get('/endless', () => new Response(source, { headers: type })));
  await using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch });
  const going = new AbortController();
  const reader = (await fetch(new URL('/endless', server.url), { signal: going.signal })).body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  going.abort();
  await cancelled;
  const { attributes } = named(await spans(), 'GET /endless');
  expect(attributes['http.response.body.content']).toMatch(/^a{10}/);
  expect(attributes['http.response.body.truncated']).toBe(true);
});
