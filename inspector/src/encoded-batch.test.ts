import { describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import {
  type Attributes,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as traceApi,
} from '@opentelemetry/api';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { Hono } from 'hono';
import protobuf from 'protobufjs';
import { EncodedBatch } from './encoded-batch.ts';
import type { RecordingSpan } from './span.ts';
import { SpanProcessor } from './span-processor.ts';
import { inMemory } from './testing/in-memory.ts';
import { TracesInstrument } from './traces.ts';

const root = new protobuf.Root();
root.resolvePath = (_, target) => resolve(import.meta.dir, '../../harness/sink/proto', target);
root.loadSync('opentelemetry/proto/collector/trace/v1/trace_service.proto');
const requestType = root.lookupType('opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest');

const remote = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'ff00000000000001',
  traceFlags: 1,
  isRemote: true,
  traceState: createTraceState('a=1,b=2'),
};

function decode(request: Uint8Array) {
  const message = requestType.decode(request);
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the proto files
  return requestType.toObject(message, { longs: String, bytes: String, defaults: true }) as any;
}

/** A status that is left out means the same. */
const unset = { code: 0, message: '' };

const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : 1);

/** Each span with its scope and its resource. The order of spans and of attributes means nothing. */
function flat(request: Uint8Array) {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const all: any[] = [];
  for (const { scopeSpans, ...resource } of decode(request).resourceSpans) {
    for (const { spans, ...scope } of scopeSpans)
      for (const span of spans) {
        const attributes = span.attributes.toSorted(byKey);
        all.push({ resource, scope, span: { ...span, attributes, status: span.status ?? unset } });
      }
  }
  return all.sort((a, b) => (a.span.spanId < b.span.spanId ? -1 : 1));
}

async function encode(spans: ReadableSpan[]): Promise<Uint8Array> {
  const requests: Uint8Array[] = [];
  const batch = new EncodedBatch(async (request) => void requests.push(new Uint8Array(request)));
  for (const span of spans) batch.add(span as RecordingSpan);
  await batch.export();
  return requests[0] as Uint8Array;
}

/** Records, and expects of the batch what the SDK's own serializer says of the same spans. */
async function expectSame(record: (inspector: ReturnType<typeof inMemory>['inspector']) => unknown, count: number) {
  const { inspector, spans } = inMemory();
  await record(inspector);
  const recorded = await spans();
  expect(recorded).toHaveLength(count);
  expect(flat(await encode(recorded))).toEqual(flat(ProtobufTraceSerializer.serializeRequest(recorded) as Uint8Array));
}

function expectSameSpan(change: (span: Span) => void, name = 'name') {
  return expectSame(({ instruments }) => instruments.traces.trace(name, change), 1);
}

describe("decodes to what the SDK's serializer makes of the same spans", () => {
  const values: Attributes = {
    text: 'value',
    empty: '',
    accents: 'é',
    emoji: '🙂'.repeat(30),
    half: 'a\ud800b',
    ...Object.fromEntries([63, 64, 65, 127, 128, 16_383, 16_384, 3_000_000].map((n) => [`a${n}`, 'a'.repeat(n)])),
    ...Object.fromEntries([42, 43, 5_461, 5_462].map((n) => [`euro${n}`, '€'.repeat(n)])),
    ['k'.repeat(200)]: 'long key',
    true: true,
    false: false,
    ...Object.fromEntries(
      [0, -0, 1, -1, 127, 128, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -(2 ** 53), 2 ** 62, -(2 ** 63), 2 ** 63].map(
        (n) => [`n${n}`, n],
      ),
    ),
    ...Object.fromEntries([0.5, -1e300, Number.NaN, Number.NEGATIVE_INFINITY].map((n) => [`d${n}`, n])),
    texts: ['a', '', 'é'],
    numbers: [1, -2, 0.5],
    flags: [true, false],
    holes: ['a', null, undefined],
    none: [],
  };
  for (const [key, value] of Object.entries(values)) {
    test(`the attribute ${key.slice(0, 10)}`, () => expectSameSpan((span) => span.setAttribute(key, value as string)));
  }

  test('any attributes, names and messages', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const value = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.array(text), fc.array(fc.double()));
    const property = fc.asyncProperty(text, text, fc.dictionary(text, value), async (name, message, attributes) => {
      await expectSameSpan((span) => {
        span.setAttributes(attributes).addEvent(name, attributes).addLink({ context: remote, attributes });
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }, name);
    });
    await fc.assert(property, { numRuns: 200 });
  });

  test('events, links, status, kinds, given times, and what was dropped', () =>
    expectSame(({ instruments }) => {
      const tracer = instruments.traces.getTracer('test', '1');
      for (const kind of [SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.PRODUCER, SpanKind.CONSUMER]) {
        const span = tracer.startSpan('name', { kind, startTime: [1_700_000_000, 0] });
        for (let i = 0; i < 130; i++) span.setAttribute(`k${i}`, i).addEvent(`e${i}`).addLink({ context: remote });
        const many = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`k${i}`, i]));
        span.addEvent('many', many, [1_800_000_000, 999_999_999]).addLink({ context: remote, attributes: many });
        span.addLink({ context: { ...remote, isRemote: false, traceFlags: 0 } });
        span.recordException(new Error('no'));
        span.setStatus({ code: kind === SpanKind.SERVER ? 1 : 2 });
        span.end([4_294_967_296, 294_967_296]);
      }
    }, 5));

  test('parents: none, of this process, remote', () =>
    expectSame(({ instruments: { traces } }) => {
      traces.trace('root', () => traces.trace('child', () => traces.trace('grandchild', () => {})));
      const context = traceApi.setSpanContext(ROOT_CONTEXT, remote);
      const span = traces.getTracer('test').startSpan('of a remote one', {}, context);
      traces.getTracer('test').startSpan('nested', {}, traceApi.setSpan(context, span)).end();
      span.end();
    }, 5));

  test('scopes that interleave, with versions and schemas', () =>
    expectSame(({ instruments: { traces } }) => {
      const tracers = [
        traces.getTracer('one', '1', { schemaUrl: 'https://schema/1' }),
        traces.getTracer('two'),
        traces.getTracer('', '', { schemaUrl: 'https://schema/1' }),
      ];
      for (let i = 0; i < 30; i++) tracers[(i % 7) % 3]?.startSpan(`span ${i}`).end();
    }, 30));

  test('the SERVER span of a request', () =>
    expectSame(async (inspector) => {
      const app = inspector.instrument(new Hono().get('/users/:id', (c) => c.text('Hi')));
      await app.request('http://user@[::1]:8080/users/é?q=1&sig=secret', { headers: { traceparent: 'none' } });
      for (const path of ['/users/a?', '/users/a#?q', '/users/?a#b', '/users/a/b?sig=1&b=é#', '/']) {
        for (const origin of ['http://localhost', 'https://localhost', 'http://localhost:30', 'http://localhost:301']) {
          for (const method of ['GET', 'BREW', 'POST']) await app.request(`${origin}${path}`, { method });
        }
      }
      inspector.instruments.traces.trace('with others', () => {});
    }, 62));

  test('the SERVER span of a handler that fails, and of one that sets attributes', () =>
    expectSame(async (inspector) => {
      const app = inspector.instrument(
        new Hono()
          .get('/fail', () => {
            throw new RangeError('far');
          })
          .get('/own', (c) => {
            inspector.instruments.traces.trace('inner', (span) => span.setAttribute('url.path', '/inner'));
            return c.text('Hi', c.req.query('late') ? 503 : 200);
          })
          .onError((_, c) => c.text('failed', 500)),
      );
      for (const path of ['/fail', '/own', '/own?late=1', '/fail']) await app.request(path);
    }, 6));
});

test('buffers are used again, and hold nothing of what was sent before', async () => {
  const { inspector, spans } = inMemory();
  for (let i = 0; i < 300; i++) inspector.instruments.traces.trace(`span ${i}`, () => {});
  const recorded = await spans();
  const few = await encode(recorded.slice(0, 3));
  for (let i = 0; i < 10; i++) await encode(recorded);
  expect(await encode(recorded.slice(0, 3))).toEqual(few);
});

test('a span that cannot be encoded leaves the batch as it was', async () => {
  const { inspector, spans } = inMemory();
  const { trace } = inspector.instruments.traces;
  trace('one', () => {});
  trace(undefined as unknown as string, (span) => span.setAttribute('a', 1));
  trace('two', () => {});
  const [one, bad, two] = (await spans()) as [RecordingSpan, RecordingSpan, RecordingSpan];
  const sent: Uint8Array[] = [];
  const batch = new EncodedBatch(async (request) => void sent.push(new Uint8Array(request)));
  batch.add(one);
  expect(() => batch.add(bad)).toThrow();
  batch.add(two);
  await batch.export();
  expect(sent).toEqual([await encode([one, two])]);
});

/** A processor whose requests the test completes. */
function held(limits?: object) {
  const requests: { bytes: number; resolve: () => void; reject: (error: Error) => void }[] = [];
  const send = (request: Uint8Array) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    requests.push({ bytes: request.length, resolve, reject });
    return promise;
  };
  const most = { spans: 1_000_000, batches: 2, delayMs: 5_000, ...limits };
  const processor = new SpanProcessor(() => new EncodedBatch(send), most);
  const traces = new TracesInstrument(processor, { name: 'test' });
  const record = (count: number) => {
    for (let i = 0; i < count; i++) traces.trace('span', (span) => span.setAttribute('text', 'a'.repeat(100_000)));
  };
  return { requests, processor, traces, record };
}

test('a request leaves when it is large enough, one at a time; what is then too much is dropped', async () => {
  const { requests, processor, traces, record } = held();
  record(100); // 10 MB
  await Bun.sleep(0);
  expect(requests).toHaveLength(1);
  const { dropped } = traces.counts;
  expect(dropped).toBeGreaterThan(50);
  const flushed = processor.forceFlush();
  while (traces.counts.exported + dropped < 100) {
    expect(requests[0]?.bytes).toBeWithin(200_000, 2_000_000);
    requests.pop()?.resolve();
    await Bun.sleep(0);
    expect(requests.length).toBeLessThan(2);
  }
  await flushed;
  record(1);
  expect(traces.counts.dropped).toBe(dropped);
});

test.each([0, 10_000, 20_000])('with texts of %i bytes, no buffer grows beyond 256 KiB', async (bytes) => {
  const sizes: number[] = [];
  const send = async (request: Uint8Array) => void sizes.push(request.buffer.byteLength);
  const processor = new SpanProcessor(() => new EncodedBatch(send), { spans: 1e6, batches: 1e3, delayMs: 5_000 });
  const traces = new TracesInstrument(processor, { name: 'test' });
  const text = new Array(2).fill('a'.repeat(bytes / 2));
  for (let i = 0; i < 5_000; i++) traces.trace('span', (span) => span.setAttributes({ text }));
  await processor.shutdown();
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBe(256 * 1024);
});

test('no more spans wait than may', () => {
  const { traces, record } = held({ spans: 1 });
  record(3);
  expect(traces.counts).toEqual({ started: 3, exported: 0, dropped: 2 });
});

test('what could not be sent, could not be encoded or came after the shutdown is dropped and counted', async () => {
  const { requests, processor, traces, record } = held();
  record(2);
  traces.trace(undefined as unknown as string, () => {});
  const stopped = processor.shutdown();
  record(1);
  await Bun.sleep(0);
  requests[0]?.reject(new Error('refused'));
  await stopped;
  expect(traces.counts).toEqual({ started: 4, exported: 0, dropped: 4 });
});
