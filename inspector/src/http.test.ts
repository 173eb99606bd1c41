import { describe, expect, test } from 'bun:test';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { HistogramMetricData } from '@opentelemetry/sdk-metrics';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { boundaries } from './metrics.ts';
import { inMemory, named } from './testing/in-memory.ts';

async function observe(app: Hono, url: string, init?: RequestInit) {
  const { inspector, spans, dataPoints } = inMemory();
  const response = await inspector.instrument(app).request(url, init);
  const [span] = await spans();
  const [point] = await dataPoints();
  if (span === undefined || point === undefined) throw new Error('nothing recorded');
  return { response, span, point };
}

describe('a request', () => {
  test('is a SERVER span named by method and route, with the conventional attributes', async () => {
    const app = new Hono().get('/users/:id', (c) => c.text('Hi'));
    const { span } = await observe(app, 'http://example.com:8080/users/7?q=1&sig=secret&X-Amz-Credential=a%2Fb');
    expect(span.name).toBe('GET /users/:id');
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.status.code).toBe(SpanStatusCode.UNSET);
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'url.scheme': 'http',
      'url.path': '/users/7',
      'url.query': 'q=1&sig=REDACTED&X-Amz-Credential=REDACTED',
      'server.address': 'example.com',
      'server.port': 8080,
      'http.route': '/users/:id',
      'http.response.status_code': 200,
    });
    expect(span.spanContext().traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
    expect(span.spanContext().spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/);
    expect(Math.abs(span.startTime[0] * 1000 + span.startTime[1] / 1e6 - Date.now())).toBeLessThan(2000);
    expect(span.resource.attributes['service.name']).toBeString();
    expect(span.instrumentationScope.name).toBe('@tracetax/inspector');
  });

  test('is a duration in seconds with the conventional attributes and buckets', async () => {
    const { inspector, metric } = inMemory();
    const app = inspector.instrument(new Hono().get('/users/:id', (c) => c.text('Hi')));
    await app.request('/users/1');
    await app.request('/users/2');
    await app.request('https://example.com/users/2');
    const { descriptor, dataPoints } = (await metric()) as HistogramMetricData;
    expect(descriptor).toMatchObject({ name: 'http.server.request.duration', unit: 's' });
    expect(dataPoints.map((point) => [point.attributes, point.value.count])).toEqual([
      [attributes('http'), 2],
      [attributes('https'), 1],
    ]);
    const { buckets, sum, min, max } = (dataPoints[0] as (typeof dataPoints)[0]).value;
    expect(buckets.boundaries).toEqual([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]);
    expect(buckets.counts.reduce((total, count) => total + count)).toBe(2);
    expect(buckets.counts).toHaveLength(boundaries.length + 1);
    expect(min as number).toBeGreaterThan(0);
    expect(max as number).toBeLessThan(1);
    expect(sum as number).toBeCloseTo((min as number) + (max as number));
    expect(inspector.instruments.metrics.counts.recorded).toBe(3);

    function attributes(scheme: string) {
      return {
        'http.request.method': 'GET',
        'http.route': '/users/:id',
        'http.response.status_code': 200,
        'url.scheme': scheme,
      };
    }
  });

  test('with an unknown method is HTTP and _OTHER', async () => {
    const app = new Hono().on('PURGE', '/cache', (c) => c.text('Hi'));
    const { span, point } = await observe(app, '/cache', { method: 'PURGE' });
    expect(span.name).toBe('HTTP /cache');
    expect(span.attributes['http.request.method']).toBe('_OTHER');
    expect(span.attributes['http.request.method_original']).toBe('PURGE');
    expect(point.attributes['http.request.method']).toBe('_OTHER');
  });

  test.each([
    ['http://example.com', 'example.com', 80, '/', undefined],
    ['https://user:pw@example.com/a?#f', 'example.com', 443, '/a', undefined],
    ['http://[::1]:3000/a?b=/c?d#e', '[::1]', 3000, '/a', 'b=/c?d'],
    ['http://127.0.0.1:80/a#b?c', '127.0.0.1', 80, '/a', undefined],
  ])('to %s tells the parts of its URL', async (url, address, port, path, query) => {
    const { span } = await observe(new Hono(), url);
    expect(span.attributes).toMatchObject({
      'server.address': address,
      'server.port': port,
      'url.path': path,
    });
    expect(span.attributes['url.query']).toBe(query as string);
  });

  test('that names no host has no server address', async () => {
    const { inspector, spans } = inMemory();
    const server = Bun.serve({ port: 0, fetch: inspector.instrument(new Hono()).fetch });
    const { promise, resolve } = Promise.withResolvers<void>();
    await Bun.connect({
      hostname: '127.0.0.1',
      port: server.port as number,
      socket: {
        open: (socket) => void socket.write('GET /a?u=http://b/ HTTP/1.0\r\n\r\n'),
        data: () => resolve(),
      },
    });
    await promise;
    await server.stop(true);
    const [span] = await spans();
    expect(span?.attributes).toMatchObject({
      'url.path': '/a',
      'url.query': 'u=http://b/',
      'url.scheme': 'http',
    });
    expect(span?.attributes).not.toHaveProperty('server.address');
  });

  test('by HEAD keeps its method', async () => {
    const { span, response } = await observe(
      new Hono().get('/', (c) => c.text('Hi')),
      '/',
      { method: 'HEAD' },
    );
    expect(span.name).toBe('HEAD /');
    expect(await response.text()).toBe('');
  });
});

describe('the route', () => {
  const sub = new Hono().get('/items/:id', (c) => c.text('Hi')).all('/any', (c) => c.text('Hi'));
  const cases: [string, Hono, string, string][] = [
    ['of a sub-app', new Hono().route('/api', sub), '/api/items/1', 'GET /api/items/:id'],
    ['of a sub-app, for all methods', new Hono().route('/api', sub), '/api/any', 'GET /api/any'],
    [
      'with a base path',
      new Hono().basePath('/v1').get('/x', (c) => c.text('Hi')) as unknown as Hono,
      '/v1/x',
      'GET /v1/x',
    ],
    [
      'behind a wildcard middleware',
      new Hono().use((_, next) => next()).get('/:a/:b', (c) => c.text('Hi')),
      '/1/2',
      'GET /:a/:b',
    ],
    [
      'before a catch-all',
      new Hono().get('/a/:b', (c) => c.text('Hi')).get('*', (c) => c.text('all')),
      '/a/1',
      'GET /a/:b',
    ],
    ['of a handler that takes next', new Hono().get('/n', (c, _next) => Promise.resolve(c.text('Hi'))), '/n', 'GET /n'],
    ['of a wildcard', new Hono().get('/static/*', (c) => c.text('Hi')), '/static/a/b.css', 'GET /static/*'],
  ];
  for (const [title, app, path, name] of cases) {
    test(title, async () => {
      const { span, response } = await observe(app, path);
      expect(response.status).toBe(200);
      expect(span.name).toBe(name);
      expect(`GET ${span.attributes['http.route']}`).toBe(name);
    });
  }

  test('is absent if nothing matched, also with a wildcard middleware', async () => {
    for (const app of [new Hono(), new Hono().use('*', (_, next) => next())]) {
      const { span, point } = await observe(app, '/nowhere');
      expect(span.name).toBe('GET');
      expect(span.attributes['http.response.status_code']).toBe(404);
      expect(span.attributes).not.toHaveProperty('http.route');
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
      expect(point.attributes).not.toHaveProperty('http.route');
    }
  });

  test('is that of the outer request while a handler passes others to the app', async () => {
    const { inspector, spans } = inMemory();
    const app: Hono = new Hono();
    app.get('/inner', (c) => c.text('Hi')).get('/outer', () => app.request('/inner'));
    await inspector.instrument(app).request('/outer');
    const recorded = await spans();
    expect(recorded.map((span) => span.name)).toEqual(['GET /inner', 'GET /outer']);
    expect(named(recorded, 'GET /inner').parentSpanContext?.spanId).toBe(
      named(recorded, 'GET /outer').spanContext().spanId,
    );
  });
});

describe('an error', () => {
  test('thrown in a handler is recorded, sync and async, with any error handler', async () => {
    const quiet = (app: Hono) => app.onError((error, c) => c.text(error.message, 500));
    const late = new Hono().use((_, next) => next()).get('/', () => Promise.reject(new TypeError('no')));
    for (const app of [
      quiet(
        new Hono().get('/', () => {
          throw new TypeError('no');
        }),
      ),
      quiet(late),
    ]) {
      const { span, point } = await observe(app, '/');
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no' });
      expect(span.attributes).toMatchObject({ 'error.type': 'TypeError', 'http.response.status_code': 500 });
      expect(span.events[0]?.name).toBe('exception');
      expect(span.events[0]?.attributes).toMatchObject({
        'exception.type': 'TypeError',
        'exception.message': 'no',
      });
      expect(point.attributes['error.type']).toBe('TypeError');
    }
  });

  test('handler set after instrumenting is used', async () => {
    const { inspector, spans } = inMemory();
    const app = inspector.instrument(
      new Hono().get('/', () => {
        throw new Error('no');
      }),
    );
    app.onError((_, c) => c.text('handled', 503));
    expect(await (await app.request('/')).text()).toBe('handled');
    expect((await spans())[0]?.attributes['http.response.status_code']).toBe(503);
  });

  test('answered with 5xx has the status as its type; 4xx is none', async () => {
    const broken = await observe(
      new Hono().get('/', (c) => c.text('', 502)),
      '/',
    );
    expect(broken.span.status.code).toBe(SpanStatusCode.ERROR);
    expect(broken.point.attributes['error.type']).toBe('502');
    const refused = await observe(
      new Hono().get('/', () => {
        throw new HTTPException(403);
      }),
      '/',
    );
    expect(refused.span.status.code).toBe(SpanStatusCode.UNSET);
    expect(refused.span.events).toEqual([]);
    expect(refused.point.attributes).not.toHaveProperty('error.type');
  });

  test('that has no name has the status as its type', async () => {
    for (const name of ['', undefined]) {
      const app = new Hono().get('/', () => {
        throw Object.assign(new Error('no'), { name });
      });
      const { span, point } = await observe(app, '/');
      expect([span, point].map(({ attributes }) => attributes['error.type'])).toEqual(['500', '500']);
    }
  });

  test('with a name of its own in each request makes no more than 101 series', async () => {
    const { inspector, dataPoints } = inMemory();
    let requests = 0;
    const app = inspector.instrument(
      new Hono().get('/', () => {
        throw Object.assign(new Error('no'), { name: `Error${requests++}` });
      }),
    );
    app.onError((_, c) => c.text('', 500));
    for (let request = 0; request < 150; request++) await app.request('/');
    const points = await dataPoints();
    expect(points).toHaveLength(101);
    expect(points.at(-1)).toMatchObject({ attributes: { 'error.type': '500' }, value: { count: 50 } });
  });

  test('that Hono lets through ends the span and is thrown on', async () => {
    const { inspector, spans, dataPoints } = inMemory();
    const app = inspector.instrument(
      new Hono()
        .get('/sync', () => {
          throw 'text';
        })
        .get('/async', async () => {
          throw 'text';
        }),
    );
    expect(() => app.request('/sync')).toThrow('text');
    expect(Promise.resolve(app.request('/async'))).rejects.toBe('text');
    const recorded = await spans();
    expect(recorded.map((span) => span.status.code)).toEqual([SpanStatusCode.ERROR, SpanStatusCode.ERROR]);
    expect(recorded[0]?.attributes).not.toHaveProperty('http.response.status_code');
    expect(await dataPoints()).toHaveLength(2);
  });
});

test('a synchronous answer stays synchronous, and the app keeps its other parts', async () => {
  const { inspector } = inMemory();
  const app = new Hono().get('/', (c) => c.text('Hi'));
  expect(inspector.instrument(app)).toBe(app);
  expect(inspector.instrument(app)).toBe(app);
  expect(app.fetch(new Request('http://localhost/'))).toBeInstanceOf(Response);
  expect(app.routes).toHaveLength(1);
  expect(inspector.instruments.traces.counts.started).toBe(1);
});

test('an app may have types of its own', async () => {
  const { inspector } = inMemory();
  type Types = { Variables: { user: string }; Bindings: { port: number } };
  const app = inspector.instrument(new Hono<Types>().get('/', (c) => c.text(c.get('user') ?? 'nobody')));
  expect(await (await app.request('/')).text()).toBe('nobody');
  const api = new Hono<Types>().basePath('/v1');
  expect(inspector.instrument(api)).toBe(api);
});

test('a base path taken before instrumenting still adds routes', async () => {
  const { inspector, spans } = inMemory();
  const app = new Hono();
  const api = app.basePath('/api');
  inspector.instrument(app);
  api.get('/late', (c) => c.text('Hi'));
  expect((await app.request('/api/late')).status).toBe(200);
  expect((await spans())[0]?.name).toBe('GET /api/late');
});

test('an instrumented app within another leaves its errors to the other one', async () => {
  const { inspector, spans } = inMemory();
  const inner = inspector.instrument(
    new Hono().get('/', () => {
      throw new Error('no');
    }),
  );
  const outer = new Hono().route('/inner', inner);
  outer.onError((_, c) => c.text('handled', 503));
  expect(await (await outer.request('/inner')).text()).toBe('handled');
  expect((await inner.request('/')).status).toBe(500);
  expect((await spans())[0]?.status.message).toBe('no');
});
