import { heapStats } from 'bun:jsc';
import { describe, expect, spyOn, test } from 'bun:test';
import { diag } from '@opentelemetry/api';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { BodiesOptions, TransformRule } from './index.ts';
import { inMemory, named } from './testing/in-memory.ts';

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** Sends one request. Returns the answer and what was recorded of bodies and headers. */
async function observe(app: Hono, path: string, init: RequestInit = {}, bodies: BodiesOptions = {}) {
  const { inspector, spans } = inMemory({ bodies });
  const response = await inspector.instrument(app).fetch(new Request(`http://localhost${path}`, init));
  const text = await response.text();
  const [span] = await spans();
  if (span === undefined) throw new Error('nothing recorded');
  const { counts } = inspector.instruments.traces;
  expect(counts).toEqual({ started: 1, exported: 1, dropped: 0 });
  const recorded = Object.entries(span.attributes).filter(([key]) => /\.(body|header)\./.test(key));
  return { response, text, span, recorded: Object.fromEntries(recorded), inspector };
}

describe('the transforms of the suite', () => {
  const rules: TransformRule[] = [
    {
      direction: 'request',
      method: 'POST',
      path: '/api/auth/login',
      jsonPath: '$.password',
      action: 'redact',
    },
    { direction: 'request', method: 'POST', path: '/api/users', jsonPath: '$.ssn', action: 'mask' },
    { direction: 'request', method: 'POST', path: '/api/users', jsonPath: '$.creditCard', action: 'redact' },
    { direction: 'response', method: 'POST', path: '/api/users', jsonPath: '$.profile.ssn', action: 'mask' },
    { direction: 'response', path: '/api/*', jsonPath: '$..creditCard', action: 'redact' },
    { direction: 'request', path: '/api/*', header: 'authorization', action: 'redact' },
  ];
  const secrets = ['hunter2', '078-05-1120', '4111111111111111', 'Bearer abc'];

  test('keep sensitive values from all that is exported, and change nothing for handler and client', async () => {
    const { inspector, spans } = inMemory({
      bodies: { transforms: rules, headers: ['Authorization', 'X-Kind'] },
    });
    const app = inspector.instrument(
      new Hono()
        .post('/api/auth/login', async (c) => {
          const { email, password } = await c.req.json();
          return c.json({ success: password === 'hunter2', user: { id: 1, email } });
        })
        .post('/api/users', async (c) => {
          const { username, ...profile } = await c.req.json();
          return c.json({ id: 1, username, profile });
        }),
    );
    const send = (path: string, body: unknown) =>
      app.fetch(
        new Request(`http://localhost${path}`, {
          ...json(body),
          headers: { 'content-type': 'application/json', authorization: 'Bearer abc', 'x-kind': 'test' },
        }),
      );
    const login = await send('/api/auth/login', { email: 'a@b.c', password: 'hunter2' });
    expect(await login.json()).toMatchObject({ success: true });
    const user = { username: 'ada', email: 'a@b.c', ssn: '078-05-1120', creditCard: '4111111111111111' };
    const { username, ...profile } = user;
    expect(await (await send('/api/users', user)).json()).toEqual({ id: 1, username, profile });

    const recorded = await spans();
    const all = JSON.stringify(recorded.map(({ name, attributes, events }) => ({ name, attributes, events })));
    for (const secret of secrets) expect(all).not.toContain(secret);
    const { attributes } = named(recorded, 'POST /api/users');
    expect(JSON.parse(attributes['http.request.body.content'] as string)).toEqual({
      username: 'ada',
      email: 'a@b.c',
      ssn: '***********',
      creditCard: expect.stringMatching(/^REDACTED_[0-9a-f]{12}$/),
    });
    expect(attributes['http.request.body.size']).toBe(JSON.stringify(user).length);
    expect(attributes['http.request.header.authorization']).toEqual([expect.stringMatching(/^REDACTED_/)]);
    expect(attributes['http.request.header.x-kind']).toEqual(['test']);
    expect(inspector.instruments.bodies.unmatchedRules).toEqual([]);
    expect(inspector.instruments.bodies.counts).toEqual({ recorded: 4, transformed: 5 });
  });

  test('that never match are reported', async () => {
    const warn = spyOn(diag, 'warn').mockImplementation(() => {});
    const { inspector } = await observe(
      new Hono().get('/', (c) => c.text('Hi')),
      '/',
      {},
      { transforms: rules },
    );
    expect(inspector.instruments.bodies.unmatchedRules).toEqual(rules);
    await inspector.shutdown();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toContain('request POST /api/auth/login $.password redact');
    warn.mockRestore();
  });

  test('drop what is not JSON, or too large to parse', async () => {
    const app = new Hono().post('/api/users', async (c) => c.text(String((await c.req.text()).length)));
    const bodies = { transforms: rules.slice(0, 3) };
    for (const body of ['ssn=078-05-1120', JSON.stringify({ ssn: '078-05-1120', pad: 'x'.repeat(1024 * 1024) })]) {
      const { recorded, text } = await observe(app, '/api/users', { method: 'POST', body }, bodies);
      expect(text).toBe(String(body.length));
      expect(recorded).toMatchObject({ 'http.request.body.dropped': true });
      expect(recorded['http.request.body.content']).toBeUndefined();
    }
  });
});

describe("a request's body", () => {
  const body = '{"a":"Grüße"}';
  const readers: [string, (request: Request) => Promise<unknown>, unknown][] = [
    ['text', (r) => r.text(), body],
    ['json', (r) => r.json(), { a: 'Grüße' }],
    ['arrayBuffer', async (r) => Buffer.from(await r.arrayBuffer()).toString(), body],
    ['bytes', async (r) => Buffer.from(await r.bytes()).fill(0).length, Buffer.byteLength(body)],
    [
      'blob',
      async (r) => {
        const blob = await r.blob();
        return [blob.type, await blob.text()];
      },
      [expect.stringContaining('application/json'), body],
    ],
    ['clone', async (r) => [await r.clone().text(), await r.text()], [body, body]],
    ['stream', (r) => new Response(r.body).text(), body],
    [
      'iterated',
      async (r) => Buffer.concat(await Array.fromAsync(r.body as ReadableStream<Uint8Array>)).toString(),
      body,
    ],
    ['body, then text', async (r) => r.body !== null && r.text(), body],
  ];
  test.each(readers)('read as %s is recorded', async (_, read, expected) => {
    let result: unknown;
    const app = new Hono().post('/', async (c) => {
      result = await read(c.req.raw);
      return c.body(null);
    });
    const { recorded } = await observe(app, '/', { ...json(0), body });
    expect(result).toEqual(expected);
    expect(recorded).toEqual({
      'http.request.body.content': body,
      'http.request.body.size': Buffer.byteLength(body),
    });
  });

  test('of known length is recorded if two readers share its stream', async () => {
    const app = new Hono().post('/', async (c) => {
      const stream = c.req.raw.body as ReadableStream<Uint8Array>;
      const ends: boolean[] = [];
      for (let turn = 0; turn < 2; turn++) {
        const reader = stream.getReader();
        ends.push((await reader.read()).done);
        reader.releaseLock();
      }
      return c.json(ends);
    });
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    const { recorded, text } = await observe(app, '/', { method: 'POST', body, headers });
    expect(text).toBe('[false,true]');
    expect(recorded['http.request.body.content']).toBe(body);
  });

  test('that nobody reads is not recorded', async () => {
    const { recorded } = await observe(
      new Hono().post('/', (c) => c.body(null)),
      '/',
      json({ a: 1 }),
    );
    expect(recorded).toEqual({});
  });

  test('that is malformed gives the error it gives without', async () => {
    const app = () =>
      new Hono().post('/', async (c) =>
        c.text((await c.req.raw.json().catch((error: unknown) => String(error))) as string),
      );
    const init = { ...json(0), body: '{"a":' };
    const plain = await app().request('/', init);
    expect((await observe(app(), '/', init)).text).toBe(await plain.text());
  });

  test('as a form, and read twice', async () => {
    const app = new Hono().post('/', async (c) => {
      const form = await c.req.raw.formData();
      return c.text(`${form.get('a')} ${await c.req.raw.text().catch(() => 'used')}`);
    });
    const { recorded, text } = await observe(app, '/', {
      method: 'POST',
      body: 'a=1+2',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(text).toBe('1 2 used');
    expect(recorded['http.request.body.content']).toBe('a=1+2');
    const upload = new FormData();
    upload.set('a', 'b');
    const binary = await observe(app, '/', { method: 'POST', body: upload });
    expect(binary.text).toBe('b used');
    expect(binary.recorded['http.request.body.binary']).toBe(true);
    expect(binary.recorded['http.request.body.content']).toBeUndefined();
  });

  test('is recorded if the handler throws', async () => {
    const app = new Hono().post('/', async (c) => {
      await c.req.text();
      throw new Error('boom');
    });
    app.onError((error) => {
      throw error;
    });
    const { inspector, spans } = inMemory({ bodies: {} });
    const answer = inspector.instrument(app).fetch(new Request('http://localhost/', json({ a: 1 })));
    expect(Promise.resolve(answer)).rejects.toThrow('boom');
    await Promise.resolve(answer).catch(() => {});
    const [span] = await spans();
    expect(span?.attributes['http.request.body.content']).toBe('{"a":1}');
  });

  test('of 2 MB is not kept while the answer is streamed', async () => {
    const { inspector, spans } = inMemory({ bodies: {} });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const answer = async function* () {
      await released;
      yield 'late';
    };
    const app = inspector.instrument(
      new Hono().post('/', async (c) => {
        await c.req.raw.text();
        return new Response(answer() as unknown as ReadableStream, { headers: { 'content-type': 'text/plain' } });
      }),
    );
    const usedBytes = () => {
      Bun.gc(true);
      const { heapSize, extraMemorySize } = heapStats();
      return heapSize + extraMemorySize;
    };
    const before = usedBytes();
    const answers: Response[] = [];
    for (let i = 0; i < 20; i++) {
      const bytes = new Uint8Array(2_000_000).fill(97);
      answers.push(await app.fetch(new Request('http://localhost/', { method: 'POST', body: bytes })));
    }
    await Bun.sleep(0);
    const kept = usedBytes() - before;
    release();
    for (const each of answers) expect(await each.text()).toBe('late');
    expect(kept).toBeLessThan(20_000_000);
    const [span] = await spans();
    expect(span?.attributes['http.request.body.content']).toBe('a'.repeat(10_240));
  }, 20_000);
});

describe("a response's body", () => {
  test('is cut at a character', async () => {
    for (const [limitBytes, content] of [
      [5, 'aää'],
      [4, 'aä'],
      [3, 'aä'],
      [0, ''],
    ] as const) {
      const app = new Hono().get('/', (c) => c.text('aääää'));
      const { recorded, text } = await observe(app, '/', {}, { limitBytes });
      expect(text).toBe('aääää');
      expect(recorded).toMatchObject({
        'http.response.body.content': content,
        'http.response.body.truncated': true,
      });
    }
    const whole = await observe(
      new Hono().get('/', (c) => c.text('aä')),
      '/',
      {},
      { limitBytes: 3 },
    );
    expect(whole.recorded).toEqual({ 'http.response.body.content': 'aä', 'http.response.body.size': 3 });
  });

  test('has a size if all of the text is recorded', async () => {
    const app = new Hono().post('/', async (c) => c.text(await c.req.text()));
    const size = async (limitBytes: number, headers: Record<string, string>) => {
      const { recorded } = await observe(app, '/', { method: 'POST', body: 'ping', headers }, { limitBytes });
      return [recorded['http.request.body.size'], recorded['http.response.body.size']];
    };
    expect(await size(4, {})).toEqual([4, 4]);
    expect(await size(3, {})).toEqual([undefined, undefined]);
    expect(await size(3, { 'content-length': '4' })).toEqual([4, undefined]);
  });

  test('that is binary or compressed leaves no content, one that is none leaves nothing', async () => {
    const app = new Hono()
      .get('/image', (c) => c.body(new Uint8Array([1, 2]), 200, { 'content-type': 'image/png' }))
      .get('/untyped', () => new Response(new Uint8Array([1, 2])))
      .get('/gzip', (c) =>
        c.body(Bun.gzipSync('{}'), 200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }),
      )
      .get('/text', (c) => c.text('Hi'))
      .get('/empty', (c) => c.body(null, 204));
    for (const path of ['/image', '/untyped', '/gzip']) {
      const { recorded } = await observe(app, path);
      expect(recorded['http.response.body.binary']).toBe(true);
      expect(recorded['http.response.body.content']).toBeUndefined();
    }
    expect((await observe(app, '/text', { method: 'HEAD' })).recorded).toEqual({});
    const { recorded, response } = await observe(app, '/empty');
    expect(recorded).toEqual({});
    expect(response.status).toBe(204);
  });

  test('that is binary leaves its size if it was given as bytes', async () => {
    const headers = { 'content-type': 'image/png' };
    const sizeOf = async (body: ConstructorParameters<typeof Response>[0]) => {
      const { recorded } = await observe(
        new Hono().get('/', () => new Response(body, { headers })),
        '/',
      );
      return recorded['http.response.body.size'];
    };
    expect(await sizeOf(new Uint8Array([1, 2]))).toBe(2);
    expect(await sizeOf(new Blob(['12']).stream())).toBeUndefined();
  });

  test('of an error handler and of not found is recorded', async () => {
    const app = new Hono().get('/', () => {
      throw new Error('boom');
    });
    app.onError((_, c) => c.json({ error: 'sorry' }, 500));
    const { recorded, span } = await observe(app, '/');
    expect(recorded['http.response.body.content']).toBe('{"error":"sorry"}');
    expect(span.attributes['http.response.status_code']).toBe(500);
    expect((await observe(new Hono(), '/')).recorded['http.response.body.content']).toBe('404 Not Found');
  });

  test('as a stream is read no further than it is recorded', async () => {
    let pulled = 0;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(1000).fill(97));
        },
      });
    // A rule of another route needs its whole body, and changes nothing here.
    const transforms: TransformRule[] = [{ direction: 'response', path: '/other', jsonPath: '$.a', action: 'mask' }];
    const { inspector, spans } = inMemory({ bodies: { transforms } });
    const app = inspector.instrument(
      new Hono().get('/', () => new Response(endless(), { headers: { 'content-type': 'text/plain' } })),
    );
    const response = await app.fetch(new Request('http://localhost/'));
    const [span] = await spans();
    expect(pulled).toBeLessThan(20);
    expect(span?.attributes['http.response.body.content']).toBe('a'.repeat(10_240));
    expect(span?.attributes['http.response.body.truncated']).toBe(true);
    await response.body?.cancel();
  });

  test('streamed by a server arrives as it is produced, and a client that goes away ends it', async () => {
    const { inspector, spans } = inMemory({ bodies: {} });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: aborted, resolve: abort } = Promise.withResolvers<void>();
    const app = inspector.instrument(
      new Hono()
        .post(
          '/echo',
          (c) => new Response(c.req.raw.body as ReadableStream, { headers: { 'content-type': 'text/plain' } }),
        )
        .get('/two', () => {
          const chunks = [() => 'first ', () => released.then(() => 'last')];
          const stream = new ReadableStream({
            async pull(controller) {
              const chunk = chunks.shift();
              if (chunk === undefined) controller.close();
              else controller.enqueue(new TextEncoder().encode(await chunk()));
            },
          });
          return new Response(stream, { headers: { 'content-type': 'text/plain' } });
        })
        .get('/events', (c) =>
          streamSSE(c, async (stream) => {
            stream.onAbort(abort);
            while (!stream.aborted) {
              await stream.writeSSE({ data: 'x' });
              await Bun.sleep(5);
            }
          }),
        ),
    );
    const server = Bun.serve({ port: 0, fetch: app.fetch });
    const reader = (await fetch(new URL('/two', server.url))).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value as Uint8Array).toString()).toBe('first ');
    release();
    expect(Buffer.from((await reader?.read())?.value as Uint8Array).toString()).toBe('last');
    expect((await reader?.read())?.done).toBe(true);

    const echoed = await fetch(new URL('/echo', server.url), {
      method: 'POST',
      body: 'ping',
      headers: { 'content-type': 'text/plain' },
    });
    expect(await echoed.text()).toBe('ping');

    const going = new AbortController();
    const events = await fetch(new URL('/events', server.url), { signal: going.signal });
    await events.body?.getReader().read();
    going.abort();
    await aborted;

    const recorded = await spans();
    expect(named(recorded, 'GET /two').attributes).toMatchObject({
      'http.response.body.content': 'first last',
      'http.response.body.size': 10,
    });
    // The request's stream was passed on whole, and not read here.
    expect(named(recorded, 'POST /echo').attributes).toMatchObject({ 'http.response.body.content': 'ping' });
    expect(named(recorded, 'GET /events').attributes['http.response.body.content']).toContain('data: x');
    await server.stop(true);
  });
});

describe('switches', () => {
  const app = () => new Hono().post('/', async (c) => c.text(await c.req.text()));
  const send = (instrumented: Hono) => instrumented.fetch(new Request('http://localhost/', json({ a: 1 })));

  test('off by default, also after activate()', async () => {
    const { inspector, spans } = inMemory();
    expect(inspector.instruments.bodies.active).toBe(false);
    inspector.activate();
    expect(inspector.instruments.bodies.active).toBe(false);
    await send(inspector.instrument(app()));
    expect(Object.keys((await spans())[0]?.attributes ?? {}).join()).not.toContain('body');
  });

  test('on with the option, and switched with the others or alone', async () => {
    const { inspector, spans } = inMemory({ bodies: { limitBytes: 100 } });
    const { bodies } = inspector.instruments;
    const instrumented = inspector.instrument(app());
    inspector.deactivate();
    expect(bodies.active).toBe(false);
    inspector.activate();
    expect(bodies.active).toBe(true);
    await send(instrumented);
    await inspector.flush();
    bodies.deactivate();
    await send(instrumented);
    expect((await spans()).map((span) => span.attributes['http.request.body.content'])).toEqual(['{"a":1}', undefined]);
    expect(bodies.counts).toEqual({ recorded: 2, transformed: 0 });
  });

  test('wrong options throw', () => {
    expect(() => inMemory({ bodies: { limitBytes: -1 } })).toThrow('limitBytes');
    expect(() => inMemory({ bodies: { headers: ['no name'] } })).toThrow('no name');
    expect(() => inMemory({ bodies: { transforms: [{ direction: 'request', path: '/', action: 'mask' }] } })).toThrow(
      'Wrong transform rule',
    );
  });
});

describe('long texts, of which only the first bytes are kept', () => {
  /** Answers with the body, and with how many requests are under way. */
  const echo = () =>
    new Hono().post('/echo', async (c) => {
      const text = await c.req.text();
      await Bun.sleep(Math.random() * 5);
      return c.text(text);
    });
  const longText = (index: number) => `${index}ä`.repeat(2_000);
  const post = (app: Hono, index: number) => app.request('/echo', { method: 'POST', body: longText(index) });
  const contents = ['request', 'response'].map((direction) => `http.${direction}.body.content`);

  test('many at once keep their own', async () => {
    const { inspector, spans } = inMemory({ bodies: { limitBytes: 101 } });
    const app = inspector.instrument(echo());
    const count = 300;
    for (let round = 0; round < count; round += 100)
      await Promise.all(Array.from({ length: 100 }, (_, index) => post(app, round + index)));
    const recorded = (await spans()).map(({ attributes }) => contents.map((name) => String(attributes[name])));
    // Cut between two characters.
    const head = (index: number) =>
      new TextDecoder().decode(Buffer.from(longText(index)).subarray(0, 101)).replace('\uFFFD', '');
    const expected = Array.from({ length: count }, (_, index) => [head(index), head(index)]);
    expect(recorded.toSorted()).toEqual(expected.toSorted());
  });

  test('also if an app within the app records them, too', async () => {
    const inner = inMemory({ bodies: { limitBytes: 100 } });
    const outer = inMemory({ bodies: { limitBytes: 100 } });
    const app = outer.inspector.instrument(new Hono().mount('/', inner.inspector.instrument(echo()).fetch));
    for (let index = 10; index < 20; index++) await post(app, index);
    for (const { spans } of [inner, outer])
      expect((await spans()).map(({ attributes }) => String(attributes[contents[0] as string]).slice(0, 2))).toEqual(
        Array.from({ length: 10 }, (_, index) => String(index + 10)),
      );
  });
});
