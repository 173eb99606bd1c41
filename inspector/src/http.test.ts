import { describe, expect, test } from 'bun:test';
import { type HrTime, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { hrTimeToNanoseconds } from '@opentelemetry/core';
import { Hono } from 'hono';
import { serveStatic } from 'hono/bun';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { inMemory, tree } from './testing/in-memory.ts';
import { exchange } from './testing/tcp.ts';

async function observe(app: Hono, url: string, init?: RequestInit) {
  const { inspector, spans, metric } = inMemory();
  const response = await inspector.instrument(app).request(url, init);
  const [span] = await spans();
  const point = (await metric())?.dataPoints[0];
  if (span === undefined || point === undefined) throw new Error('nothing recorded');
  return { response, span, point };
}

describe('a request', () => {
  test('is a SERVER span and a duration with the conventional attributes', async () => {
    const app = new Hono().get('/users/:id', (c) => c.text('Hi'));
    const { span, point } = await observe(
      app,
      'http://example.com:8080/users/7?q=1&sig=secret&X-Amz-Credential=a%2Fb',
    );
    const request = {
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'http.route': '/users/:id',
    };
    const shared = { ...request, 'http.response.status_code': 200 };
    const status = { code: SpanStatusCode.UNSET };
    expect(span).toMatchObject({ name: 'GET /users/:id', kind: SpanKind.SERVER, status });
    expect(span.attributes).toEqual({
      ...shared,
      'url.path': '/users/7',
      'url.query': 'q=1&sig=REDACTED&X-Amz-Credential=REDACTED',
      'server.address': 'example.com',
      'server.port': 8080,
    });
    expect(span.instrumentationScope.name).toBe('@tracetax/inspector');
    expect(point.attributes).toEqual(shared);
    expect(point.value.count).toBe(1);
    expect(point.value.sum).toBeLessThan(1);
    const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
    expect(point.value.buckets.boundaries).toEqual(boundaries);
  });

  test('with an unknown method is HTTP and _OTHER', async () => {
    const app = () => new Hono().on('PURGE', '/cache', (c) => c.text('Hi'));
    const { span, point } = await observe(app(), '/cache', { method: 'PURGE' });
    expect(span.name).toBe('HTTP /cache');
    expect(span.attributes['http.request.method_original']).toBe('PURGE');
    expect(point.attributes['http.request.method']).toBe('_OTHER');
    expect((await observe(app(), '/cache', { method: 'HEAD' })).span.name).toBe('HEAD');
  });

  test.each([
    ['http://example.com', 'example.com', 80, '/', undefined],
    ['https://user:pw@example.com/a?#f', 'example.com', 443, '/a', undefined],
    ['http://[::1]:3000/a?b=/c?d#e', '::1', 3000, '/a', 'b=/c?d'],
    ['http://127.0.0.1:80/a@b:1#b?c', '127.0.0.1', 80, '/a@b:1', undefined],
  ])('to %s tells the parts of its URL', async (url, address, port, path, query) => {
    const { attributes } = (await observe(new Hono(), url)).span;
    expect(attributes).toMatchObject({
      'server.address': address,
      'server.port': port,
      'url.path': path,
    });
    expect(attributes['url.query']).toBe(query as string);
  });

  test('with an odd Host header, or without one, still tells its path', async () => {
    const { inspector, spans } = inMemory();
    await using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: inspector.instrument(new Hono()).fetch,
    });
    const odd = [
      '',
      'Host: \r\n',
      'Host: a b\r\n',
      'Host: :80\r\n',
      'Host: [::1\r\n',
      'Host: é@x/y\r\n',
    ];
    for (const host of odd)
      await exchange(server.port, `GET /a?u=http://b/ HTTP/1.0\r\n${host}\r\n`);
    const recorded = (await spans()).map(({ attributes }) => attributes);
    expect(recorded).toHaveLength(odd.length);
    for (const attributes of recorded)
      expect(attributes).toMatchObject({
        'url.query': 'u=http://b/',
        'url.path': expect.stringMatching(/\/a$/),
      });
    expect(recorded[0]).not.toHaveProperty('server.address');
  });

  test('keeps the name and the attributes that the app gives its span', async () => {
    const app = new Hono().get('/', (c) => {
      trace.getActiveSpan()?.updateName('mine').setAttribute('http.route', '/own');
      return c.text('Hi');
    });
    const attributes = { 'http.route': '/own', 'url.path': '/' };
    expect((await observe(app, '/')).span).toMatchObject({ name: 'mine', attributes });
  });
});

describe('the route', () => {
  const hi = new Hono().get('/items/:id', (c) => c.text('Hi')).all('/any', (c) => c.text('Hi'));
  hi.get('*', (c) => c.text('rest'));
  const files = serveStatic({ root: `${import.meta.dir}/..` });
  const based = new Hono().basePath('/v1').get('/x', (c) => c.text('Hi'));
  const cases: [string, Hono, string, string][] = [
    ['of a sub-app', new Hono().route('/api', hi), '/api/items/1', '/api/items/:id'],
    ['of a sub-app, for all methods', new Hono().route('/api', hi), '/api/any', '/api/any'],
    ['of a wildcard of a sub-app', new Hono().route('/api', hi), '/api/other', '/api/*'],
    ['with a base path', based as unknown as Hono, '/v1/x', '/v1/x'],
    [
      'behind a wildcard middleware',
      new Hono().use(cors()).get('/:a/:b', (c) => c.text('Hi')),
      '/1/2',
      '/:a/:b',
    ],
    [
      'of a handler that takes next',
      new Hono().get('/n', async (c, _next) => c.text('Hi')),
      '/n',
      '/n',
    ],
    [
      'of a mounted app',
      new Hono().use(cors()).mount('/m', (request) => hi.fetch(request)),
      '/m/any',
      '/m/*',
    ],
    ['of a server of files', new Hono().use('/src/*', files), '/src/http.ts', '/src/*'],
  ];
  test.each(cases)('%s', async (_, app, path, route) => {
    const { span, point, response } = await observe(app, path);
    expect(response.status).toBe(200);
    expect(span.name).toBe(`GET ${route}`);
    expect([span.attributes['http.route'], point.attributes['http.route']]).toEqual([route, route]);
  });

  test('is that of a middleware that answers, if no handler is behind it', async () => {
    const app = new Hono().use('/a/*', cors()).use('*', cors());
    const preflight = { method: 'OPTIONS', headers: { origin: 'http://b' } };
    expect((await observe(app, '/a/b', preflight)).span.name).toBe('OPTIONS /a/*');
  });

  test('is absent if nothing matched, also with a wildcard middleware', async () => {
    const files = new Hono().use('*', serveStatic({ root: '/nowhere' }));
    for (const app of [new Hono(), new Hono().use('*', cors()), files]) {
      const { span, point } = await observe(app, '/nowhere');
      expect(span).toMatchObject({ name: 'GET', status: { code: SpanStatusCode.UNSET } });
      for (const { attributes } of [span, point]) {
        expect(attributes['http.response.status_code']).toBe(404);
        expect(attributes).not.toHaveProperty('http.route');
      }
    }
  });

  test('is that of the outer request while a handler passes others to the app', async () => {
    const { inspector, spans } = inMemory();
    const app: Hono = new Hono();
    app.get('/inner', (c) => c.text('Hi')).get('/outer', () => app.request('/inner'));
    await inspector.instrument(app).request('/outer');
    expect(tree(await spans())).toBe('GET /inner < GET /outer, GET /outer < none');
  });
});

describe('an error', () => {
  const thrower = (error: unknown, isLate = false) =>
    new Hono()
      .get('/', () => {
        if (isLate) return Promise.reject(error);
        throw error;
      })
      .onError((each, c) =>
        c.text(each.message, each instanceof HTTPException ? each.status : 500),
      );

  test.each([false, true])('thrown in a handler is recorded (async: %p)', async (isLate) => {
    const { span, point } = await observe(thrower(new TypeError('no'), isLate), '/');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no' });
    expect(span.attributes).toMatchObject({
      'error.type': 'TypeError',
      'http.response.status_code': 500,
    });
    const [event] = span.events;
    expect(event?.attributes).toMatchObject({
      'exception.type': 'TypeError',
      'exception.message': 'no',
    });
    expect(hrTimeToNanoseconds(event?.time as HrTime)).toBeLessThanOrEqual(
      hrTimeToNanoseconds(span.endTime),
    );
    expect(point.attributes['error.type']).toBe('TypeError');
  });

  test('answered with 5xx has the status as its type; 4xx is none', async () => {
    const app = new Hono().get('/', (c) => c.text('', 502));
    const broken = await observe(app, '/');
    expect(broken.span.status.code).toBe(SpanStatusCode.ERROR);
    expect(broken.point.attributes['error.type']).toBe('502');
    const refused = await observe(thrower(new HTTPException(403)), '/');
    expect(refused.span).toMatchObject({ status: { code: SpanStatusCode.UNSET }, events: [] });
    expect(refused.point.attributes).not.toHaveProperty('error.type');
    const failed = await observe(thrower(new HTTPException(502)), '/');
    expect(failed.point.attributes['error.type']).toBe('HTTPException');
    expect(failed.span.events[0]?.attributes?.['exception.type']).toBe('HTTPException');
    const nameless = await observe(thrower(Object.assign(new Error('no'), { name: '' })), '/');
    expect(nameless.span.attributes['error.type']).toBe('500');
  });

  test('that Hono lets through ends the span and is thrown on', async () => {
    const { inspector, spans } = inMemory();
    const [sync, late] = [thrower('text'), thrower('text', true)].map((app) =>
      inspector.instrument(app),
    );
    expect(() => sync?.request('/')).toThrow('text');
    expect(Promise.resolve(late?.request('/'))).rejects.toBe('text');
    for (const { status, attributes } of await spans()) {
      expect(status).toEqual({ code: SpanStatusCode.ERROR, message: 'text' });
      expect(attributes['error.type']).toBe('_OTHER');
      expect(attributes).not.toHaveProperty('http.response.status_code');
    }
    expect(await spans()).toHaveLength(2);
  });

  test('that a sub-app handles by itself is recorded', async () => {
    const inner = new Hono().get('/', () => Promise.reject(new RangeError('no')));
    inner.onError((_, c) => c.text('handled', 500));
    const { span, point } = await observe(new Hono().route('/inner', inner), '/inner');
    expect(span).toMatchObject({
      name: 'GET /inner',
      status: { message: 'no' },
      events: [{ name: 'exception' }],
    });
    expect(point.attributes['error.type']).toBe('RangeError');
  });

  test('of an app within another is left to the other one', async () => {
    const { inspector, spans } = inMemory();
    const inner = inspector.instrument(new Hono().get('/', () => Promise.reject(new Error('no'))));
    const outer = inspector.instrument(new Hono().route('/inner', inner));
    outer.onError((_, c) => c.text('handled', 503));
    expect(await (await outer.request('/inner')).text()).toBe('handled');
    expect((await spans())[0]).toMatchObject({ name: 'GET /inner', status: { message: 'no' } });
  });
});

test('a synchronous answer stays synchronous, and an app is instrumented once', async () => {
  const { inspector, spans } = inMemory();
  const app = new Hono<{ Variables: { user: string } }>();
  const api = app.basePath('/api');
  expect(inspector.instrument(app)).toBe(app);
  expect(inspector.instrument(app)).toBe(app);
  expect(() => inMemory().inspector.instrument(app)).toThrow('Another inspector');
  api.get('/late', (c) => c.text('Hi'));
  expect(app.fetch(new Request('http://localhost/api/late'))).toBeInstanceOf(Response);
  expect((await spans()).map(({ name }) => name)).toEqual(['GET /api/late']);
});

test('what a request says is known when its span starts: no attribute of the app takes its place', async () => {
  const app = new Hono().get('/:id', (c) => {
    for (let count = 0; count < 200; count++)
      trace.getActiveSpan()?.setAttribute(`own.${count}`, count);
    return c.text('Hi');
  });
  const { attributes } = (await observe(app, 'http://example.com/7?a=b')).span;
  expect(attributes).toMatchObject({
    'http.request.method': 'GET',
    'url.path': '/7',
    'url.query': 'a=b',
  });
  expect(attributes).toMatchObject({
    'url.scheme': 'http',
    'server.address': 'example.com',
    'server.port': 80,
  });
});
