import { afterEach, describe, expect, test } from 'bun:test';
import { context, propagation, ROOT_CONTEXT, SpanStatusCode, trace as traceApi } from '@opentelemetry/api';
import { Hono } from 'hono';
import { scopeContextManager } from './context.ts';
import { inMemory, named, parentName } from './testing/in-memory.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

describe('trace', () => {
  test('nests synchronously and keeps a synchronous result synchronous', async () => {
    const { inspector, spans } = inMemory();
    const { trace } = inspector.instruments.traces;
    const app = inspector.instrument(
      new Hono().get('/', (c) => c.text(trace('a', () => trace('b', () => 'deep') + trace('c', () => '')))),
    );
    expect(await (await app.request('/')).text()).toBe('deep');
    const recorded = await spans();
    expect(recorded.map((span) => `${span.name} < ${parentName(recorded, span)}`)).toEqual([
      'b < a',
      'c < a',
      'a < GET /',
      'GET / < undefined',
    ]);
    expect(new Set(recorded.map((span) => span.spanContext().traceId)).size).toBe(1);
    expect(new Set(recorded.map((span) => span.spanContext().spanId)).size).toBe(4);
  });

  test('has the right parents while hundreds of requests interleave', async () => {
    const { inspector, spans } = inMemory({ spanCapacity: 100_000 });
    const { trace } = inspector.instruments.traces;
    const pause = () => Bun.sleep(Math.random() * 5);
    const app = inspector.instrument(
      new Hono().get('/:id', async (c) => {
        const id = c.req.param('id');
        await trace(`${id}.1`, async () => {
          await pause();
          await Promise.all([
            trace(`${id}.1.1`, async () => {
              await pause();
              await trace(`${id}.1.1.1`, pause);
            }),
            trace(`${id}.1.2`, () => pause().then(() => trace(`${id}.1.2.1`, () => 1))),
            new Promise<void>((resolve) => setTimeout(() => trace(`${id}.1.3`, () => resolve()), Math.random() * 5)),
          ]);
          trace(`${id}.1.4`, () => {});
        });
        const stream = new ReadableStream({
          async pull(controller) {
            await pause();
            controller.enqueue(new TextEncoder().encode(trace(`${id}.2`, () => 'Hi')));
            controller.close();
          },
        });
        return c.text(await new Response(stream).text());
      }),
    );
    await Promise.all(Array.from({ length: 200 }, (_, id) => app.request(`/${id}`)));
    const recorded = await spans();
    expect(recorded).toHaveLength(200 * 9);
    for (const span of recorded) {
      if (span.name === 'GET /:id') continue;
      const expected = span.name.split('.').length === 2 ? 'GET /:id' : span.name.replace(/\.\d+$/, '');
      expect(parentName(recorded, span)).toBe(expected);
    }
    const traceOf = new Map(recorded.map((span) => [span.name.split('.')[0], span.spanContext().traceId]));
    for (const span of recorded) {
      if (span.name !== 'GET /:id')
        expect(span.spanContext().traceId).toBe(traceOf.get(span.name.split('.')[0]) as string);
    }
  });

  test('records what is thrown, and throws it on, sync and async', async () => {
    const { inspector, spans } = inMemory();
    const { trace } = inspector.instruments.traces;
    const error = new RangeError('far');
    expect(() =>
      trace('sync', () => {
        throw error;
      }),
    ).toThrow(error);
    expect(
      trace('async', async () => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(() =>
      trace('text', () => {
        throw 'text';
      }),
    ).toThrow('text');
    for (const span of await spans()) {
      expect(span.status.code).toBe(SpanStatusCode.ERROR);
      expect(span.events[0]?.name).toBe('exception');
    }
    expect(named(await spans(), 'async').events[0]?.attributes).toMatchObject({
      'exception.type': 'RangeError',
      'exception.message': 'far',
      'exception.stacktrace': error.stack as string,
    });
  });

  test('around the start of a server is no parent of its requests', async () => {
    const { inspector, spans } = inMemory();
    const { fetch: handle } = inspector.instrument(new Hono().get('/', (c) => c.text('Hi')));
    const start = () => Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle });
    await using server = inspector.instruments.traces.trace('start', start);
    await fetch(server.url);
    const span = inspector.instruments.traces.getTracer('app').startSpan('start');
    await using other = scopeContextManager.with(traceApi.setSpan(ROOT_CONTEXT, span), start);
    span.end();
    await fetch(other.url);
    const requests = (await spans()).filter(({ name }) => name === 'GET /');
    expect(requests.map(({ parentSpanContext }) => parentSpanContext)).toEqual([undefined, undefined] as never);
  });

  test('outside of a request starts a root span, and passes the span', async () => {
    const { inspector, spans } = inMemory();
    inspector.instruments.traces.trace('job', (span) => span.setAttribute('n', 1));
    const [span] = await spans();
    expect(span?.parentSpanContext).toBeUndefined();
    expect(span?.attributes).toEqual({ n: 1 });
  });
});

describe('traceparent', () => {
  async function request(headers: Record<string, string>) {
    const memory = inMemory();
    const { trace } = memory.inspector.instruments.traces;
    const app = memory.inspector.instrument(
      new Hono().get('/', (c) => c.text(trace('inner', (span) => span.spanContext().traceId))),
    );
    const answeredId = await (await app.request('/', { headers })).text();
    return { ...memory, answeredId, recorded: await memory.spans() };
  }

  test('gives the trace id, the parent and the trace state', async () => {
    const { recorded, answeredId } = await request({
      traceparent: `00-${traceId}-${parentId}-01`,
      tracestate: 'a=1,b=2',
    });
    const server = named(recorded, 'GET /');
    expect(server.spanContext()).toMatchObject({ traceId, traceFlags: 1 });
    expect(server.spanContext().traceState?.get('b')).toBe('2');
    expect(server.parentSpanContext).toMatchObject({ spanId: parentId, isRemote: true });
    expect(named(recorded, 'inner').spanContext().traceId).toBe(traceId);
    expect(answeredId).toBe(traceId);
  });

  test('without the sampled flag records no span and goes on', async () => {
    const { recorded, answeredId, inspector } = await request({
      traceparent: `00-${traceId}-${parentId}-00`,
    });
    expect(recorded).toEqual([]);
    expect(inspector.instruments.traces.counts.started).toBe(0);
    expect(inspector.instruments.metrics.counts.recorded).toBe(1);
    expect(answeredId).toBe(traceId);
  });

  for (const malformed of [
    '',
    'x',
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
  ]) {
    test(`malformed is ignored: '${malformed}'`, async () => {
      const server = named((await request({ traceparent: malformed })).recorded, 'GET /');
      expect(server.parentSpanContext).toBeUndefined();
      expect(server.spanContext().traceId).not.toBe(traceId);
    });
  }
});

describe('switches', () => {
  test('with tracing off there is a metric and no span; with everything off, nothing', async () => {
    const { inspector, spans, dataPoints } = inMemory();
    const { traces, metrics } = inspector.instruments;
    const app = inspector.instrument(new Hono().get('/', (c) => c.text(traces.trace('inner', () => 'Hi'))));
    traces.deactivate();
    expect([traces.active, metrics.active, inspector.active]).toEqual([false, true, true]);
    expect(await (await app.request('/')).text()).toBe('Hi');
    expect(traces.counts).toEqual({ started: 0, exported: 0, dropped: 0 });
    expect(metrics.counts.recorded).toBe(1);
    inspector.deactivate();
    expect([traces.active, metrics.active, inspector.active]).toEqual([false, false, false]);
    await app.request('/');
    expect(metrics.counts.recorded).toBe(1);
    expect(traces.counts.started).toBe(0);
    expect(await spans()).toEqual([]);
    expect((await dataPoints())[0]?.value.count).toBe(1);
    inspector.activate();
    await app.request('/');
    expect(await spans()).toHaveLength(2);
    metrics.deactivate();
    await app.request('/');
    expect([traces.counts.started, metrics.counts.recorded]).toEqual([4, 2]);
  });

  test('switched mid-request: what began with tracing on ends its span, what began with it off gets none', async () => {
    const { inspector, spans } = inMemory();
    const { traces, metrics } = inspector.instruments;
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const app = inspector.instrument(
      new Hono().get('/:id', async (c) => {
        await opened;
        return c.text('Hi');
      }),
    );
    const begunOn = app.request('/on');
    inspector.deactivate();
    const begunOff = app.request('/off');
    inspector.activate();
    traces.deactivate();
    const begunMeasured = app.request('/measured');
    metrics.deactivate();
    open();
    await Promise.all([begunOn, begunOff, begunMeasured]);
    expect((await spans()).map((span) => span.attributes['url.path'])).toEqual(['/on']);
    expect(metrics.counts.recorded).toBe(2);
    expect(traces.counts).toEqual({ started: 1, exported: 1, dropped: 0 });
  });

  test('switched at random under concurrent load, leave no span open and no parent wrong', async () => {
    const { inspector, spans } = inMemory({ spanCapacity: 100_000 });
    const { traces, metrics } = inspector.instruments;
    const app = inspector.instrument(
      new Hono().get('/:id', async (c) => {
        await traces.trace('outer', async () => {
          await Bun.sleep(Math.random() * 4);
          traces.trace('inner', () => {});
        });
        return c.text('Hi');
      }),
    );
    const switching = setInterval(() => {
      for (const instrument of [traces, metrics]) Math.random() < 0.5 ? instrument.activate() : instrument.deactivate();
    }, 1);
    const answers: Promise<Response>[] = [];
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 10; i++) answers.push(Promise.resolve(app.request(`/${round}`)));
      await Bun.sleep(1);
    }
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200);
    clearInterval(switching);
    const recorded = await spans();
    expect(traces.counts).toEqual({ started: recorded.length, exported: recorded.length, dropped: 0 });
    for (const span of recorded) {
      // A span is a root if its request, or the span around it, began while tracing was off.
      const parent = parentName(recorded, span);
      const allowed = {
        outer: ['GET /:id', undefined],
        inner: ['outer', 'GET /:id', undefined],
        'GET /:id': [undefined],
      };
      expect(allowed[span.name as keyof typeof allowed]).toContain(parent);
    }
  });
});

describe('registered with the API', () => {
  afterEach(() => {
    context.disable();
    traceApi.disable();
    propagation.disable();
  });

  test("other libraries' spans join the trace, and baggage survives", async () => {
    const { inspector, spans } = inMemory();
    expect(inspector.register()).toBe(true);
    expect(inspector.register()).toBe(false);
    const { trace } = inspector.instruments.traces;
    const key = Symbol('baggage');
    const app = inspector.instrument(
      new Hono().get('/', (c) =>
        traceApi.getTracer('library', '1.2').startActiveSpan('theirs', async (theirs) => {
          await Bun.sleep(1);
          expect(traceApi.getActiveSpan()).toBe(theirs);
          await context.with(context.active().setValue(key, 'kept'), () =>
            trace('ours', async (ours) => {
              await Bun.sleep(1);
              expect(traceApi.getActiveSpan()).toBe(ours);
              expect(context.active().getValue(key)).toBe('kept');
            }),
          );
          const bound = context.bind(ROOT_CONTEXT, () => trace('unrelated', () => {}));
          bound();
          theirs.end();
          return c.text('Hi');
        }),
      ),
    );
    await app.request('/');
    const recorded = await spans();
    expect(parentName(recorded, named(recorded, 'theirs'))).toBe('GET /');
    expect(parentName(recorded, named(recorded, 'ours'))).toBe('theirs');
    expect(parentName(recorded, named(recorded, 'unrelated'))).toBeUndefined();
    expect(named(recorded, 'theirs').instrumentationScope).toMatchObject({ name: 'library', version: '1.2' });
    inspector.deactivate();
    expect(traceApi.getTracer('library').startSpan('off').isRecording()).toBe(false);
  });
});
