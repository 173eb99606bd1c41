import { describe, expect, spyOn, test } from 'bun:test';
import { context, diag, propagation, SpanStatusCode, trace as traceApi } from '@opentelemetry/api';
import { Hono } from 'hono';
import { Inspector } from './inspector.ts';
import { inMemory, receiver, tree } from './testing/in-memory.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

/** Calls `use` while the environment has these variables. */
async function withEnv<T>(variables: Record<string, string>, use: () => T): Promise<Awaited<T>> {
  Object.assign(process.env, variables);
  try {
    return await use();
  } finally {
    for (const name in variables) delete process.env[name];
  }
}

describe('trace', () => {
  test('nests synchronously and keeps a synchronous result synchronous', async () => {
    const { inspector, spans } = inMemory();
    const { trace } = inspector.instruments.traces;
    const app = inspector.instrument(
      new Hono().get('/', (c) =>
        c.text(trace('a', () => trace('b', () => 'deep') + trace('c', () => ''))),
      ),
    );
    expect(await (await app.request('/')).text()).toBe('deep');
    expect(tree(await spans())).toBe('b < a, c < a, a < GET /, GET / < none');
  });

  test('records what is thrown, and throws it on, sync and async', async () => {
    const { inspector, spans } = inMemory();
    const { trace } = inspector.instruments.traces;
    const error = new RangeError('far');
    const thrower = () => {
      throw error;
    };
    expect(() => trace('sync', thrower)).toThrow(error);
    expect(trace('async', async () => thrower())).rejects.toBe(error);
    for (const span of await spans()) {
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'far' });
      expect(span.events[0]?.attributes).toMatchObject({ 'exception.type': 'RangeError' });
    }
    expect(await spans()).toHaveLength(2);
  });

  test('around the start of a server is no parent of its requests', async () => {
    const { inspector, spans } = inMemory();
    const { fetch: handle } = inspector.instrument(hi());
    const start = () => Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle });
    await using server = inspector.instruments.traces.trace('start', start);
    await fetch(server.url);
    expect(tree(await spans())).toBe('start < none, GET / < none');
  });
});

describe('with the API', () => {
  test("other libraries' spans join the trace of the request, and of its caller", async () => {
    const { inspector, spans } = inMemory();
    const { trace } = inspector.instruments.traces;
    const sent: Record<string, string> = {};
    const app = inspector.instrument(
      new Hono().get('/', (c) =>
        traceApi.getTracer('library').startActiveSpan('theirs', async (theirs) => {
          await Bun.sleep(1);
          trace('ours', (ours) => expect(traceApi.getActiveSpan()).toBe(ours));
          propagation.inject(context.active(), sent);
          theirs.end();
          return c.text('Hi');
        }),
      ),
    );
    const traceparent = `00-${traceId}-${parentId}-01`;
    await app.request('/', { headers: { traceparent, tracestate: 'a=1,b=2', baggage: 'user=7' } });
    const recorded = await spans();
    expect(tree(recorded)).toBe('ours < theirs, theirs < GET /, GET / < none');
    expect(recorded[2]?.parentSpanContext).toMatchObject({
      traceId,
      spanId: parentId,
      isRemote: true,
    });
    const spanId = recorded[1]?.spanContext().spanId;
    expect(sent).toEqual({
      traceparent: `00-${traceId}-${spanId}-01`,
      tracestate: 'a=1,b=2',
      baggage: 'user=7',
    });
  });

  test('a second inspector says that the first one stays, and records its own requests', async () => {
    const first = inMemory();
    const told = spyOn(diag, 'error').mockImplementation(() => {});
    const second = new Inspector();
    expect(told.mock.calls.join()).toContain('duplicate registration of API: trace');
    told.mockRestore();
    const app = second.instrument(hi());
    await first.inspector
      .instrument(new Hono().get('/outer', () => app.request('/')))
      .request('/outer');
    await second.flush();
    expect(tree(await first.spans())).toBe('GET / < GET /outer, GET /outer < none');
  });
});

const hi = () => new Hono().get('/', (c) => c.text('Hi'));

describe('the environment', () => {
  const record = async ({ inspector, spans, metric } = inMemory()) => {
    await inspector.instrument(hi()).request('/');
    return [(await spans()).length, (await metric())?.dataPoints.length ?? 0];
  };

  test('switches exporters and samplers', async () => {
    expect(await withEnv({ OTEL_TRACES_EXPORTER: 'none' }, record)).toEqual([0, 1]);
    expect(await withEnv({ OTEL_METRICS_EXPORTER: 'none' }, record)).toEqual([1, 0]);
    // Not sampled, a request is measured.
    expect(await withEnv({ OTEL_TRACES_SAMPLER: 'always_off' }, record)).toEqual([0, 1]);
  });

  test('with a receiver that is down is told of once, and no request hears of it', async () => {
    const told = spyOn(diag, 'error').mockImplementation(() => {});
    const { inspector, spans } = inMemory();
    const app = inspector.instrument(hi());
    for (const isDown of [true, true, false, true]) {
      receiver.isDown = isDown;
      expect((await app.request('/')).status).toBe(200);
      await spans();
    }
    receiver.isDown = false;
    expect(told.mock.calls.join()).toBe(
      'OTLPTraceExporter cannot export: down,'.repeat(2).slice(0, -1),
    );
    told.mockRestore();
  });

  test('disables all but propagators for good', async () => {
    const memory = await withEnv({ OTEL_SDK_DISABLED: 'true' }, inMemory);
    memory.inspector.activate();
    memory.inspector.instruments.traces.activate();
    expect(memory.inspector.active).toBe(false);
    expect(await record(memory)).toEqual([0, 0]);
    expect(traceApi.getTracer('library').startSpan('off').isRecording()).toBe(false);
    expect(propagation.fields()).toContain('traceparent');
  });

  test('says who calls, or that nobody does', async () => {
    const parentOf = async (OTEL_PROPAGATORS: string) => {
      const { inspector, spans } = await withEnv({ OTEL_PROPAGATORS }, inMemory);
      const headers = { traceparent: `00-${traceId}-${parentId}-01` };
      await inspector.instrument(new Hono()).request('/', { headers });
      return (await spans())[0]?.parentSpanContext?.spanId;
    };
    expect(await parentOf('none')).toBeUndefined();
    expect(await parentOf('baggage')).toBeUndefined();
  });

  test.each([
    ['OTEL_PROPAGATORS', 'b3', 'b3 is not known here. In its place: tracecontext,baggage'],
    ['OTEL_TRACES_EXPORTER', 'console', 'console is not known here. In its place: otlp'],
    ['OTEL_SDK_DISABLED', '1', "Unknown value '1'"],
  ])('with %s=%s is told of once, and has its default', async (variable, value, text) => {
    const warn = spyOn(diag, 'warn').mockImplementation(() => {});
    expect(await withEnv({ [variable]: value }, record)).toEqual([1, 1]);
    expect(warn.mock.calls.map(String)).toEqual([expect.stringContaining(text)]);
    warn.mockRestore();
  });
});

describe('switches', () => {
  test('stop spans, or spans and metrics, and start them again', async () => {
    const { inspector, spans, metric } = inMemory();
    const { traces, metrics } = inspector.instruments;
    const app = inspector.instrument(
      new Hono().get('/', (c) => c.text(traces.trace('inner', () => 'Hi'))),
    );
    const recorded = async () => {
      expect(await (await app.request('/')).text()).toBe('Hi');
      return [(await spans()).length, (await metric())?.dataPoints[0]?.value.count];
    };
    traces.deactivate();
    expect([traces.active, metrics.active, inspector.active]).toEqual([false, true, true]);
    expect(await recorded()).toEqual([0, 1]);
    inspector.deactivate();
    expect([traces.active, metrics.active, inspector.active]).toEqual([false, false, false]);
    expect(await recorded()).toEqual([0, 1]);
    inspector.activate();
    expect(await recorded()).toEqual([2, 2]);
    metrics.deactivate();
    expect(await recorded()).toEqual([4, 2]);
  });

  test('leave a request as it began', async () => {
    const { inspector, spans, metric } = inMemory();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    const app = inspector.instrument(
      new Hono().get('/:id', (c) => opened.then(() => c.text('Hi'))),
    );
    const answers = [app.request('/on')];
    inspector.deactivate();
    answers.push(app.request('/off'));
    inspector.instruments.metrics.activate();
    answers.push(app.request('/measured'));
    inspector.deactivate();
    open();
    await Promise.all(answers);
    expect((await spans()).map((span) => span.attributes['url.path'])).toEqual(['/on']);
    expect((await metric())?.dataPoints[0]?.value.count).toBe(2);
  });
});
