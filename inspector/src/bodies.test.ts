import { describe, expect, test } from 'bun:test';
import { Hono } from 'hono';
import { TRANSFORMS } from '../../suites/workloads/instrumentation.ts';
import type { BodiesOptions } from './index.ts';
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
  const recorded = Object.entries(span?.attributes ?? {}).filter(([key]) => /\.(body|header)\./.test(key));
  return { text, recorded: Object.fromEntries(recorded) };
}

const echo = () => new Hono().post('/', async (c) => c.text(await c.req.text()));
const answer = (body: Bun.BodyInit | null, headers = {}) => new Hono().get('/', () => new Response(body, { headers }));

describe('transforms', () => {
  test('keep values from all that is recorded, and change nothing for handler and client', async () => {
    const transforms = [
      ...TRANSFORMS,
      { direction: 'request', path: '/api/*', header: 'authorization', action: 'redact' } as const,
    ];
    const app = new Hono().post('/api/users', async (c) => {
      const { username, ...profile } = await c.req.json();
      return c.json({ id: 1, username, profile });
    });
    const user = { username: 'ada', ssn: '078-05-1120', creditCard: '4111111111111111' };
    const headers = { 'content-type': 'application/json', authorization: 'Bearer abc', 'X-Kind': 'test' };
    const options = { transforms, headers: ['Authorization', 'x-kind', 'content-type'] };
    const { text, recorded } = await observe(app, '/api/users', { ...json(user), headers }, options);
    const { username, ...profile } = user;
    expect(JSON.parse(text)).toEqual({ id: 1, username, profile });
    expect(recorded).toMatchObject({
      'http.request.body.content': expect.stringMatching(/"ssn":"\*{11}","creditCard":"REDACTED_[0-9a-f]{12}"}$/),
      'http.response.body.content': expect.stringMatching(/"ssn":"\*{11}","creditCard":"REDACTED_[0-9a-f]{12}"}}$/),
      'http.request.header.authorization': [expect.stringMatching(/^REDACTED_/)],
      'http.request.header.x-kind': ['test'],
      'http.response.header.content-type': ['application/json'],
    });
    for (const secret of [user.ssn, user.creditCard, 'Bearer']) expect(JSON.stringify(recorded)).not.toContain(secret);
  });

  test('drop what is not JSON, or larger than is looked into', async () => {
    const transforms = [{ direction: 'request', path: '/', jsonPath: '$.ssn', action: 'mask' } as const];
    for (const body of ['ssn=078', JSON.stringify({ ssn: '078', pad: 'x'.repeat(1024 * 1024) })]) {
      const { recorded, text } = await observe(echo(), '/', { method: 'POST', body }, { transforms });
      expect(text).toBe(body);
      expect(recorded['http.request.body.dropped']).toBe(true);
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
    ['blob', async (r) => (await r.blob()).text(), body],
    ['clone', async (r) => [await r.clone().text(), await r.text()], [body, body]],
    ['stream', (r) => new Response(r.body).text(), body],
    ['nothing', async () => 0, 0],
  ];
  test.each(readers)('read as %s is recorded', async (_, read, expected) => {
    let result: unknown;
    const app = new Hono().post('/', async (c) => {
      result = await read(c.req.raw);
      return c.body(null);
    });
    const { recorded } = await observe(app, '/', { ...json(0), body });
    expect(result).toEqual(expected);
    expect(recorded).toEqual({ 'http.request.body.content': body, 'http.request.body.size': Buffer.byteLength(body) });
  });
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
    const compressed = { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'content-length': '2' };
    for (const headers of [{ 'content-type': 'image/png' }, {}, compressed]) {
      const { recorded } = await observe(answer(new Uint8Array([1, 2]), headers), '/');
      expect(recorded).toMatchObject({ 'http.response.body.binary': true });
      expect(recorded['http.response.body.content']).toBeUndefined();
    }
    expect((await observe(answer('Hi'), '/', { method: 'HEAD' })).recorded).toEqual({});
    expect((await observe(answer(null), '/')).recorded).toEqual({});
  });

  test('as a stream is read no further than it is recorded, and its span keeps the time of the response', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1000).fill(97));
      },
    });
    const { inspector, spans } = inMemory({ bodies: {} });
    const app = inspector.instrument(answer(endless, { 'content-type': 'text/plain' }));
    const response = await app.fetch(new Request('http://localhost/'));
    const [span] = await spans();
    expect(pulled).toBeLessThan(20);
    expect(span?.attributes).toMatchObject({
      'http.response.body.content': 'a'.repeat(10_240),
      'http.response.body.truncated': true,
    });
    await response.body?.cancel();
  });

  test('that is never complete is recorded as far as it came when the inspector shuts down', async () => {
    const { inspector, spans } = inMemory({ bodies: {} });
    const slow = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('first')) });
    const app = inspector.instrument(answer(slow, { 'content-type': 'text/plain' }));
    await app.fetch(new Request('http://localhost/'));
    await Bun.sleep(20);
    await inspector.shutdown();
    const { attributes, duration } = named(await spans(), 'GET /');
    expect(attributes['http.response.body.content']).toBe('first');
    expect(duration[0]).toBe(0);
  }, 10_000);
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
  expect((await spans()).map((span) => span.attributes['http.request.body.content'])).toEqual(['1', undefined]);
});

test('wrong options throw', () => {
  expect(() => inMemory({ bodies: { limitBytes: -1 } })).toThrow('limitBytes must be a whole number');
  expect(() => inMemory({ bodies: { headers: ['no name'] } })).toThrow('no name');
  expect(() => inMemory({ bodies: { limit: 1 } as BodiesOptions })).toThrow('no option limit');
  expect(() => inMemory({ spanExporter: {} } as object)).toThrow('no option spanExporter');
});
