import { heapStats } from 'bun:jsc';
import { describe, expect, test } from 'bun:test';
import { type Context, Hono } from 'hono';
import { TRANSFORMS } from '../../suites/workloads/instrumentation.ts';
import type { BodiesOptions } from './bodies.ts';
import { inMemory } from './testing/in-memory.ts';

const headers = { 'content-type': 'application/json' };
const json = (body: unknown): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers,
});

/** Sends one request. Returns the answer and what was recorded of bodies and headers. */
async function observe(
  app: Hono,
  path: string,
  init: RequestInit = {},
  bodies: BodiesOptions = {},
) {
  const { inspector, spans } = inMemory({ bodies });
  const response = await inspector
    .instrument(app)
    .fetch(new Request(`http://localhost${path}`, init));
  const text = await response.text();
  const [span] = await spans();
  const recorded = Object.entries(span?.attributes ?? {}).filter(([key]) =>
    /\.(body|header)\./.test(key),
  );
  return { text, recorded: Object.fromEntries(recorded) };
}

const echo = () => new Hono().post('/', async (c) => c.text(await c.req.text()));
const answer = (body: Bun.BodyInit | null, headers = {}) =>
  new Hono().get('/', () => new Response(body, { headers }));

describe('transforms', () => {
  test('keep values from all that is recorded, and change nothing for handler and client', async () => {
    const ofHeader = {
      direction: 'request',
      path: '/api/*',
      header: 'authorization',
      action: 'redact',
    } as const;
    const app = new Hono().post('/api/users', async (c) =>
      c.json({ id: 1, profile: await c.req.json() }),
    );
    const user = { ssn: '078-05-1120', creditCard: '4111111111111111' };
    const options = {
      transforms: [...TRANSFORMS, ofHeader],
      headers: ['Authorization', 'content-type'],
    };
    const init = { ...json(user), headers: { ...headers, authorization: 'Bearer abc' } };
    const { text, recorded } = await observe(app, '/api/users', init, options);
    expect(JSON.parse(text)).toEqual({ id: 1, profile: user });
    expect(recorded).toMatchObject({
      'http.request.body.content': expect.stringMatching(
        /"ssn":"\*{11}","creditCard":"REDACTED_[0-9a-f]{12}"}$/,
      ),
      'http.response.body.content': expect.stringMatching(
        /"ssn":"\*{11}","creditCard":"REDACTED_[0-9a-f]{12}"}}$/,
      ),
      'http.request.header.authorization': [expect.stringMatching(/^REDACTED_/)],
      'http.response.header.content-type': ['application/json'],
    });
    for (const secret of [user.ssn, user.creditCard, 'Bearer'])
      expect(JSON.stringify(recorded)).not.toContain(secret);
  });

  test('drop what is not JSON, or larger than is looked into', async () => {
    const transforms = [
      { direction: 'request', path: '/', jsonPath: '$.ssn', action: 'mask' } as const,
    ];
    for (const body of ['ssn=078', JSON.stringify({ ssn: '078', pad: 'x'.repeat(1024 * 1024) })]) {
      const { recorded, text } = await observe(
        echo(),
        '/',
        { method: 'POST', body },
        { transforms },
      );
      expect(text).toBe(body);
      expect(recorded['http.request.body.dropped']).toBe(true);
      expect(recorded['http.request.body.content']).toBeUndefined();
    }
  });
});

describe("a request's body", () => {
  const body = '{"a":"Grüße"}';
  const content = { 'http.request.body.content': body };
  const readers: [string, (c: Context) => Promise<unknown>, unknown, object][] = [
    ['text', (c) => c.req.text(), body, content],
    ['json', (c) => c.req.json(), { a: 'Grüße' }, content],
    ['arrayBuffer', async (c) => Buffer.from(await c.req.arrayBuffer()).toString(), body, content],
    ['blob', async (c) => (await c.req.blob()).text(), body, content],
    ['its raw stream', (c) => new Response(c.req.raw.body).text(), body, {}],
    ['nothing', async () => 0, 0, {}],
  ];
  test.each(readers)(
    'is recorded if Hono reads it, its size always: %s',
    async (_, read, expected, recorded) => {
      let result: unknown;
      const app = new Hono().post('/', async (c) => {
        result = await read(c);
        return c.body(null);
      });
      const stated = { ...headers, 'content-length': '15' };
      const answer = await observe(app, '/', { method: 'POST', body, headers: stated });
      expect(result).toEqual(expected);
      expect(answer.recorded).toEqual({ ...recorded, 'http.request.body.size': 15 });
    },
  );
});

describe("a response's body", () => {
  test.each([
    [6, 'aää', true],
    [4, 'aä', true],
    [0, '', true],
    [9, 'aääää', undefined],
  ])('of 9 bytes is cut to %i, between two characters', async (limitBytes, content, truncated) => {
    const { recorded, text } = await observe(answer('aääää'), '/', {}, { limitBytes });
    expect(text).toBe('aääää');
    expect(recorded['http.response.body.content']).toBe(content);
    expect(recorded['http.response.body.truncated']).toBe(truncated as true);
    expect(recorded['http.response.body.size']).toBe(truncated ? undefined : 9);
  });

  test('that is binary or compressed leaves no content, one that is none leaves nothing', async () => {
    const compressed = {
      'content-type': 'text/plain',
      'content-encoding': 'gzip',
      'content-length': '2',
    };
    for (const headers of [{ 'content-type': 'image/png' }, {}, compressed]) {
      const { recorded } = await observe(answer(new Uint8Array([1, 2]), headers), '/');
      expect(recorded).toMatchObject({ 'http.response.body.binary': true });
      expect(recorded['http.response.body.content']).toBeUndefined();
    }
    expect((await observe(answer('Hi'), '/', { method: 'HEAD' })).recorded).toEqual({});
    expect((await observe(answer(null), '/')).recorded).toEqual({});
  });

  test('as a stream is read no further than it is recorded', async () => {
    let pulled = 0;
    const pull = (controller: ReadableStreamDefaultController) => {
      pulled++;
      controller.enqueue(new Uint8Array(1000).fill(97));
    };
    const { inspector, spans } = inMemory({ bodies: {} });
    const app = inspector.instrument(
      answer(new ReadableStream({ pull }), { 'content-type': 'text/plain' }),
    );
    const response = await app.fetch(new Request('http://localhost/'));
    const [span] = await spans();
    expect(pulled).toBeLessThan(20);
    expect(span?.attributes['http.response.body.content']).toBe('a'.repeat(10_240));
    expect(span?.attributes['http.response.body.truncated']).toBe(true);
    await response.body?.cancel();
  });

  test('that is never complete is recorded as far as it came at shutdown, with the time of the response', async () => {
    const { inspector, spans } = inMemory({ bodies: {} });
    const slow = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('first')),
    });
    const app = inspector.instrument(answer(slow, { 'content-type': 'text/plain' }));
    await app.fetch(new Request('http://localhost/'));
    await Bun.sleep(20);
    await inspector.shutdown();
    const [span] = await spans();
    expect(span?.attributes['http.response.body.content']).toBe('first');
    expect(span?.duration[0]).toBe(0);
  });
});

test('of a request that is over, nothing is kept', async () => {
  const { inspector, spans } = inMemory({ bodies: {} });
  const app = inspector.instrument(answer('Hi'));
  for (let sent = 0; sent < 200; sent++)
    await (await app.fetch(new Request('http://localhost/'))).text();
  await Bun.sleep(50);
  Bun.gc(true);
  const { AbortSignal = 0, ReadableStream = 0 } = heapStats().objectTypeCounts;
  expect(AbortSignal + ReadableStream).toBeLessThan(100);
  expect(await spans()).toHaveLength(200);
});

test('bodies are off by default, and on with the option; switched with the others or alone', async () => {
  const plain = inMemory().inspector;
  plain.activate();
  expect(plain.instruments.bodies.active).toBe(false);
  const { inspector, spans } = inMemory({ bodies: {} });
  const { bodies } = inspector.instruments;
  const app = inspector.instrument(echo());
  inspector.deactivate();
  expect(bodies.active).toBe(false);
  inspector.activate();
  await app.request('/', json(1));
  await inspector.flush();
  bodies.deactivate();
  await app.request('/', json(1));
  expect((await spans()).map((span) => span.attributes['http.request.body.content'])).toEqual([
    '1',
    undefined,
  ]);
});

test('wrong options throw', () => {
  expect(() => inMemory({ bodies: { limitBytes: -1 } })).toThrow(
    'limitBytes must be a whole number',
  );
  expect(() => inMemory({ bodies: { headers: ['no name'] } })).toThrow('no name');
  expect(() => inMemory({ bodies: { limit: 1 } as BodiesOptions })).toThrow('no option limit');
  expect(() => inMemory({ spanExporter: {} } as object)).toThrow('no option spanExporter');
});
