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
import { Inspector, type InspectorOptions } from './index.ts';
import { inMemory } from './testing/in-memory.ts';

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

const inspector = new Inspector({ bodies: {} });
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

describe('a client that goes away', () => {
  async function serve(app: Hono, options: InspectorOptions, use: (url: URL) => Promise<void>) {
    const { inspector: own, spans } = inMemory(options);
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: own.instrument(app).fetch });
    await use(server.url);
    await server.stop(true);
    return spans();
  }

  test('in the middle of an answer ends its source, and what came is recorded', async () => {
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    const app = new Hono().get('/', () => {
      const source = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(1);
          controller.enqueue(new Uint8Array(1000).fill(97));
        },
        cancel: () => cancel(),
      });
      return new Response(source, { headers: type });
    });
    const [span] = await serve(app, { bodies: {} }, async (url) => {
      const going = new AbortController();
      const reader = (await fetch(url, { signal: going.signal })).body?.getReader();
      await reader?.read();
      going.abort();
      await cancelled;
    });
    expect(span?.attributes['http.response.body.content']).toMatch(/^a{1000}/);
    expect(span?.attributes['http.response.body.truncated']).toBe(true);
  });

  test('before the answer ends its source, too', async () => {
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
    const source = new ReadableStream({
      async pull(controller) {
        await Bun.sleep(1);
        controller.enqueue(Uint8Array.of(97));
      },
      cancel: () => cancel(),
    });
    const { inspector: own } = inMemory({ bodies: {} });
    const app = own.instrument(new Hono().get('/', () => new Response(source, { headers: type })));
    const response = await app.fetch(new Request('http://localhost/', { signal: AbortSignal.abort() }));
    await response.body?.cancel();
    await cancelled;
  });

  test('in the middle of an upload leaves a span', async () => {
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
    const app = new Hono().post('/', async (c) => {
      await c.req.text().catch(() => {});
      fail();
      return c.text('late');
    });
    const [span] = await serve(app, { bodies: {} }, async ({ port }) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nping');
        setTimeout(() => socket.destroy(), 50);
      });
      await failed;
    });
    expect(span?.attributes['http.request.body.content']).toBeUndefined();
    expect(span?.attributes['http.response.body.content']).toBe('late');
  });
});

test('a client that is slow holds up a stream as without recording', async () => {
  const produced = [0, 0];
  const apps = produced.map((_, index) =>
    new Hono().get('/', () => {
      const source = new ReadableStream({
        pull(controller) {
          (produced[index] as number)++;
          controller.enqueue(new Uint8Array(65_536));
        },
      });
      return new Response(source, { headers: { 'content-type': 'text/plain' } });
    }),
  ) as [Hono, Hono];
  const { inspector: own } = inMemory({ bodies: {} });
  own.instrument(apps[1]);
  const slow = apps.map((app) => Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch }));
  const sockets = slow.map(({ port }) => {
    const socket = connect(port as number, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    return socket.pause();
  });
  await Bun.sleep(300);
  const before = [...produced];
  await Bun.sleep(300);
  expect(produced).toEqual(before);
  for (const socket of sockets) socket.destroy();
  await Promise.all(slow.map((server) => server.stop(true)));
});
